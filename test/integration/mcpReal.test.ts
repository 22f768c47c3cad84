/** Servers that others wrote: every tool of theirs is offered in a form that providers take, and can be called. */
import { describe, expect, test } from "vitest";
import { expectAcceptable } from "../support/acceptable.js";
import { open, textOf } from "../support/faultTools.js";
import { everythingServer, filesServer, temporaryFolder } from "../support/sessions.js";
import { within } from "../support/slowness.js";

/** The smallest arguments that satisfy a schema. */
const smallest = (schema: {
  properties?: Record<string, { type?: string; enum?: unknown[]; minimum?: number }>;
  required?: string[];
}): object =>
  Object.fromEntries(
    (schema.required ?? []).map((name) => {
      const { type, enum: choices, minimum } = schema.properties?.[name] ?? {};
      if (choices !== undefined) return [name, choices[0]];
      if (type === "number" || type === "integer") return [name, minimum ?? 1];
      return [name, type === "array" ? [] : type === "object" ? {} : type === "boolean" ? true : "x"];
    }),
  );

describe("server-filesystem", () => {
  test("Lists all its tools, reads, writes, and refuses what is outside of its folder.", async () => {
    const folder = temporaryFolder({ "a.txt": "naïve 💡" });
    const session = await open({ entries: [filesServer(folder)] });
    expect(session.port.offered().tools).toHaveLength(14);
    expect(session.notices).toEqual([]);
    expectAcceptable(session.port.offered());
    expect(textOf(await session.run("files__read_text_file", { path: `${folder}/a.txt` }))).toBe("naïve 💡");
    expect(textOf(await session.run("files__write_file", { path: `${folder}/b.txt`, content: "b" }))).toMatch(/wrote/i);
    const outside = await session.run("files__read_text_file", { path: "/etc/passwd" });
    expect(outside).toMatchObject({ kind: "result", isError: true });
    const readOnly = session.port.offered().tools.filter((tool) => tool.readOnly);
    expect(readOnly.map(({ name }) => name)).toEqual(expect.arrayContaining(["files__read_text_file"]));
    expect(readOnly.map(({ name }) => name)).not.toContain("files__write_file");
    await session.close();
  });
});

describe("server-everything", () => {
  test("Every tool is offered, and every call of every tool is answered.", async () => {
    const session = await open({ entries: [everythingServer()], limits: { toolTimeoutSeconds: 30 } });
    const { tools } = session.port.offered();
    expect(tools.length).toBeGreaterThanOrEqual(10);
    expectAcceptable(session.port.offered());
    for (const { name, schema } of tools.filter(({ name: each }) => !each.endsWith("long-running-operation"))) {
      const outcome = await session.run(name, smallest(JSON.parse(schema)));
      expect([name, outcome.kind]).toEqual([name, expect.stringMatching(/^(?:result|rejected)$/)]);
    }
    await session.close();
  });

  test("Images, resources and annotated content arrive as what they are.", async () => {
    const session = await open({ entries: [everythingServer()] });
    const image = await session.run("everything__get-tiny-image");
    expect(image).toMatchObject({
      parts: [{ kind: "text" }, { kind: "image", mimeType: "image/png" }, { kind: "text" }],
    });
    expect(textOf(await session.run("everything__get-sum", { a: 2, b: 40 }))).toContain("42");
    const structured = await session.run("everything__get-structured-content", { location: "New York" });
    expect(textOf(structured)).toContain("temperature");
    await session.close();
  });

  // It does not leave when its stdin ends, so it costs the grace, and only once.
  test("Two of them end within one grace and not two.", async () => {
    const entries = [everythingServer(), { ...everythingServer(), name: "again" }];
    const session = await open({ entries });
    const at = performance.now();
    await session.close(500);
    expect(performance.now() - at).toBeLessThan(within(1900));
  });
});
