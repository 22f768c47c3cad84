/** Databricks' model catalogue as `session/new` asks for it, against a host that goes wrong in one way each. */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import type { RequestListener } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/shell/config/config.js";
import type { Environment } from "../../../src/shell/config/read.js";
import { openModels } from "../../../src/shell/model/models.js";
import { loginIdentity } from "../../../src/shell/oauth/identity.js";
import { writeTokenFile } from "../../../src/shell/oauth/tokenFile.js";
import { folder } from "../oauth/folder.js";
import { createSecrets } from "../../../src/shell/secrets.js";
import { httpServer, respond } from "./servers.js";

const json = (value: unknown) => respond(200, JSON.stringify(value));

interface Host {
  readonly url: string;
  readonly asked: string[];
}

/** `answers` by the path's beginning; what is not there is a 404. */
const host = async (answers: Readonly<Record<string, RequestListener>>): Promise<Host> => {
  const asked: string[] = [];
  const server = await httpServer((request, response) => {
    const url = request.url ?? "";
    asked.push(url);
    const found = Object.entries(answers).find(([path]) => url.startsWith(path));
    (found?.[1] ?? respond(404, "nothing here"))(request, response);
  });
  return { url: server.url, asked };
};

const open = (url: string, env: Environment = {}) => {
  const config = readConfig(
    {
      BUZZ_AGENT_PROVIDER: "databricks_v2",
      DATABRICKS_HOST: url,
      DATABRICKS_TOKEN: "dapi-static-1",
      DATABRICKS_MODEL: "mine",
      ...env,
    },
    () => E.left("ENOENT"),
  );
  if (E.isLeft(config)) throw new Error(config.left.fault);
  const logged: string[] = [];
  const models = openModels(config.right, createSecrets([]), (level, message, fields) =>
    logged.push(`${level} ${message} ${JSON.stringify(fields)}`),
  );
  onTestFinished(models.close);
  const list = async () => {
    const listed = await models.list(new AbortController().signal);
    return E.isLeft(listed) ? [listed.left.kind, listed.left.message] : listed.right.map(({ id }) => id);
  };
  return { list, logged };
};

const ENDPOINTS = "/api/ai-gateway/v2/endpoints";
const SERVICES = "/api/2.1/unity-catalog/model-services";
const noServices = json({ model_services: [] });

describe("the gateway's catalogue", () => {
  test("is read page by page, side by side with the services, once for the process", async () => {
    const pages: RequestListener = (request, response) => {
      const token = new URL(request.url ?? "", "http://x").searchParams.get("page_token");
      const first = { endpoints: [{ name: "old", created_timestamp: 1 }], next_page_token: "p 2/&" };
      json(token === null ? first : { endpoints: [{ name: `new ${token}`, created_timestamp: 2 }] })(request, response);
    };
    const server = await host({
      [ENDPOINTS]: pages,
      [SERVICES]: json({ model_services: [{ name: "model-services/a.b.c" }] }),
    });
    const { list } = open(server.url, { TURNFOLD_MODELS: "extra" });
    expect(await Promise.all([list(), list()])).toEqual([
      ["mine", "extra", "new p 2/&", "old", "a.b.c"],
      ["mine", "extra", "new p 2/&", "old", "a.b.c"],
    ]);
    expect(server.asked.toSorted()).toEqual([
      `${SERVICES}?page_size=100&view=FULL`,
      `${ENDPOINTS}?page_size=100`,
      `${ENDPOINTS}?page_size=100&page_token=p+2%2F%26`,
    ]);
  });

  test("of which one listing fails is what the other says, with a warning", async () => {
    const server = await host({ [ENDPOINTS]: json({ endpoints: [{ name: "a" }] }), [SERVICES]: respond(403, "no") });
    const { list, logged } = open(server.url);
    expect(await list()).toEqual(["mine", "a"]);
    expect(logged.join()).toContain(`warn a part of the model catalogue is missing {"why":"${SERVICES} answered 403"}`);
  });

  test("that leads in circles or never ends is a failure of that listing", async () => {
    const circle = json({ endpoints: [{ name: "a" }], next_page_token: "same" });
    const { list, logged } = open((await host({ [ENDPOINTS]: circle, [SERVICES]: noServices })).url);
    expect(await list()).toEqual(["mine"]);
    expect(logged.join()).toContain("repeats a page");

    let page = 0;
    const endless: RequestListener = (request, response) => {
      page += 1;
      json({ endpoints: [], next_page_token: `p${page}` })(request, response);
    };
    const other = open((await host({ [ENDPOINTS]: endless, [SERVICES]: noServices })).url);
    expect(await other.list()).toEqual(["mine"]);
    expect(other.logged.join()).toContain("has more than 20 pages");
  });

  test("of trouble that passes is asked for again", async () => {
    let tries = 0;
    const flaky: RequestListener = (request, response) => {
      tries += 1;
      (tries < 3 ? respond(503, "busy") : json({ endpoints: [{ name: "a" }] }))(request, response);
    };
    const { list } = open((await host({ [ENDPOINTS]: flaky, [SERVICES]: noServices })).url);
    expect(await list()).toEqual(["mine", "a"]);
  });
});

describe("a refused key", () => {
  test("refuses the session, with one request a listing, and without a word of the body", async () => {
    const server = await host({ "/": respond(401, "your token dapi-static-1 is bad") });
    const { list } = open(server.url);
    const [kind, message] = await list();
    expect(kind).toBe("authentication");
    expect(message).toMatch(/rejected the configured credential \(401\); check DATABRICKS_TOKEN/);
    expect(message).not.toContain("dapi-static-1");
    expect(server.asked).toHaveLength(2);
  });
});

test("a login that the host refuses is renewed once, and the listings are asked for again", async () => {
  const seen: (string | undefined)[] = [];
  const server = await host({
    "/oidc/.well-known": (request, response) => {
      const base = `http://${request.headers.host}`;
      json({ authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` })(request, response);
    },
    "/token": json({ access_token: "renewed-token", refresh_token: "r-2", expires_in: 3600 }),
    "/api/": (request, response) => {
      seen.push(request.headers.authorization);
      const good = request.headers.authorization === "Bearer renewed-token";
      (good ? json({ endpoints: [{ name: "a" }], model_services: [] }) : respond(401, "no"))(request, response);
    },
  });
  const directory = folder();
  const token = { accessToken: "refused-token", refreshToken: O.some("r-1"), expiresAt: O.none };
  await writeTokenFile(loginIdentity(server.url, directory).tokenFile, token);
  const { list } = open(server.url, { DATABRICKS_TOKEN: "", BUZZ_AGENT_CONFIG_DIR: directory });
  expect(await list()).toEqual(["mine", "a"]);
  const [refused, renewed] = ["Bearer refused-token", "Bearer renewed-token"];
  expect(seen).toEqual([refused, refused, renewed, renewed]);
});

test("a host in trouble leaves the configured model, trimmed, and is asked again by the next session", async () => {
  let answer = respond(503, "busy");
  const server = await host({ "/": (request, response) => answer(request, response) });
  const { list } = open(server.url, { DATABRICKS_MODEL: "  mine " });
  expect(await list()).toEqual(["mine"]);
  answer = json({ endpoints: [{ name: "a" }], model_services: [] });
  expect(await list()).toEqual(["mine", "a"]);
});

test("without a login nobody is asked, the session works, and the next one asks again", async () => {
  const server = await host({});
  const { list, logged } = open(server.url, { DATABRICKS_TOKEN: "", BUZZ_AGENT_CONFIG_DIR: "/nonexistent" });
  expect(await list()).toEqual(["mine"]);
  expect(logged.join()).toContain("turnfold auth databricks");
  expect(server.asked).toEqual([]);
});

test("a host that takes its time does not hold up the session; the next one has the answer", async () => {
  let release = (): void => undefined;
  const slow: RequestListener = (request, response) => {
    release = () => json({ endpoints: [{ name: "late" }] })(request, response);
  };
  const server = await host({ [ENDPOINTS]: slow, [SERVICES]: noServices });
  const { list } = open(server.url);
  const start = performance.now();
  expect(await list()).toEqual(["mine"]);
  expect(performance.now() - start).toBeLessThan(4000);
  release();
  expect(await list()).toEqual(["mine", "late"]);
});

test("model serving is listed in its own order", async () => {
  const endpoints = [{ name: "b", task: "llm/v1/chat" }, { name: "a" }];
  const server = await host({ "/api/2.0/serving-endpoints": json({ endpoints }) });
  expect(await open(server.url, { BUZZ_AGENT_PROVIDER: "databricks" }).list()).toEqual(["mine", "b", "a"]);
});
