/** A certificate authority and a server certificate, made by openssl for this run. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Certificates {
  readonly authorityFile: string;
  readonly key: Buffer;
  readonly certificate: Buffer;
  readonly remove: () => void;
}

/** Undefined where there is no openssl. */
export const makeCertificates = (names = "IP:127.0.0.1,DNS:localhost"): Certificates | undefined => {
  const folder = mkdtempSync(path.join(tmpdir(), "turnfold-tls-"));
  const at = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  try {
    writeFileSync(at("ext"), `subjectAltName=${names}\n`);
    const request = ["-newkey", "rsa:2048", "-nodes"];
    openssl("req", "-x509", ...request, "-days", "2", "-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem");
    openssl("req", ...request, "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "request.pem");
    const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "ext"];
    openssl("x509", "-req", "-in", "request.pem", ...signing, "-out", "cert.pem");
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  return {
    authorityFile: at("ca.pem"),
    key: readFileSync(at("key.pem")),
    certificate: readFileSync(at("cert.pem")),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
