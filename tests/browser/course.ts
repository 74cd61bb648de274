// A learning platform as far as a browser sees it, on another site than the server, and the server behind https: a page of a
// course with a frame, a sign-in that signs whoever it is told to, and the end of deep linking and of registration.

import { execFileSync } from "node:child_process";
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { Hall } from "./hall";

/** Browsers take these for two sites, and both for this computer. */
const [TOOL_HOST, PLATFORM_HOST] = ["127.0.0.1", "localhost"];
const CLIENT = "exam-hall-of-the-tests";
const DEPLOYMENT = "1";
const CLAIM = "https://purl.imsglobal.org/spec/lti/claim/";
const MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#";
const DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/";
const PLATFORM_CONFIGURATION = "https://purl.imsglobal.org/spec/lti-platform-configuration";
const TOOL_CONFIGURATION = "https://purl.imsglobal.org/spec/lti-tool-configuration";
const REGISTRATION_TOKEN = "a-token-of-the-tests";

/** What a page of the course launches. */
export interface Launch {
  role: "Learner" | "Instructor";
  sub: string;
  email?: string;
  name?: string;
  /** A choice of what is launched, instead of a launch. */
  isDeep?: boolean;
  link?: string;
  context?: string;
  custom?: Record<string, string>;
  target?: "iframe" | "window";
  /** The page of the platform has storage for tools. */
  hasStorage?: boolean;
}

export class Course {
  /** The server as browsers reach it. */
  tool = "";
  readonly hall = new Hall();
  /** What was posted at the end of a choice, as it was signed. */
  chosen: Record<string, any>[] = [];
  registered: Record<string, any>[] = [];
  /** Whether browsers may keep what binds a launch to them; some keep nothing in a frame. */
  keepsCookies = true;
  #launches = new Map<string, Launch>();
  #key = generateKeyPairSync("rsa", { modulusLength: 2048 });
  #servers: Server[] = [];
  #sockets = new Set<Socket>();
  #folder = mkdtempSync(join(tmpdir(), "examhall-course-"));
  #secure = "";
  #plain = "";

  async open(): Promise<this> {
    const files = [join(this.#folder, "key.pem"), join(this.#folder, "cert.pem")] as const;
    const subject = ["-subj", "/CN=localhost", "-addext", `subjectAltName=DNS:${PLATFORM_HOST},IP:${TOOL_HOST}`];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", files[0], "-out", files[1], ...subject], { stdio: "ignore" });
    const [key, cert] = files.map((path) => readFileSync(path));
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    this.#secure = `https://${PLATFORM_HOST}:${await this.#listen(createSecureServer({ key, cert }, answer))}`;
    // The server asks for keys where it need not know the certificate.
    this.#plain = `http://${TOOL_HOST}:${await this.#listen(createServer(answer))}`;
    const front = createTlsServer({ key, cert }, (socket) => {
      const { hostname: host, port } = new URL(this.hall.url);
      const behind = connect({ host, port: Number(port) });
      for (const [one, other] of [[socket, behind], [behind, socket]] as const) one.on("error", () => other.destroy()).on("close", () => other.destroy());
      socket.pipe(behind);
      behind.on("data", (part: Buffer) => void socket.write(this.keepsCookies ? part : withoutCookies(part)));
    });
    this.tool = `https://${TOOL_HOST}:${await this.#listen(front)}`;
    await this.hall.open({ AUTH_URL: this.tool, WEBHOOK_ALLOW: `${TOOL_HOST},${PLATFORM_HOST}` });
    return this;
  }

  async #listen(server: Server): Promise<number> {
    this.#servers.push(server);
    server.on("connection", (socket: Socket) => void this.#sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await this.hall.close();
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The origin of the platform's pages. */
  get origin(): string {
    return this.#secure;
  }

  /** As an admin registers it by hand. */
  get facts() {
    const endpoints = { authorization: `${this.#secure}/auth`, token: `${this.#plain}/token`, jwks: `${this.#plain}/keys` };
    return { name: "The platform of the tests", issuer: this.#secure, clientId: CLIENT, endpoints, deployments: [{ id: DEPLOYMENT, state: "active" }] };
  }

  /** The address of a page of the course from which this is launched: in a frame, or by a link to a new window. */
  page(launch: Launch): string {
    const id = randomUUID();
    this.#launches.set(id, launch);
    return `${this.#secure}/course?launch=${id}`;
  }

  /** The page of the platform's admin, with the registration of the tool in a frame. */
  get registrationPage(): string {
    return `${this.#secure}/admin`;
  }

  /** The page that shows in a frame whether a third party's cookie comes back. */
  get probePage(): string {
    return `${this.#secure}/probes`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.#secure);
    const body = await textOf(request);
    const html = (text: string, headers: Record<string, string> = {}) => void response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(`<!doctype html><title>The course</title>${text}`);
    const json = (value: unknown, status = 200) => void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    switch (`${request.method} ${url.pathname}`) {
      case "GET /course":
        return html(this.#coursePage(url.searchParams.get("launch") ?? ""));
      case "GET /start":
        return void response.writeHead(302, { location: this.#login(url.searchParams.get("launch") ?? "") }).end();
      case "GET /auth":
        return this.#authorize(url, html);
      case "GET /keys":
        return json({ keys: [{ ...this.#key.publicKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "RS256" }] });
      case "POST /return":
        this.chosen.push(claimsOf(new URLSearchParams(body).get("JWT") ?? ""));
        return html("<p>The choice was saved.</p>");
      case "GET /admin":
        return html(this.#adminPage());
      case "GET /configuration":
        return request.headers.authorization === `Bearer ${REGISTRATION_TOKEN}` ? json(this.#configuration()) : json({ error: "no token" }, 401);
      case "POST /register": {
        const asked = JSON.parse(body) as Record<string, any>;
        if (request.headers.authorization !== `Bearer ${REGISTRATION_TOKEN}`) return json({ error: "no token" }, 401);
        this.registered.push(asked);
        return json({ ...asked, client_id: "registered-by-itself", [TOOL_CONFIGURATION]: { ...asked[TOOL_CONFIGURATION], deployment_id: DEPLOYMENT } });
      }
      case "GET /probes":
        return html(`<iframe src="https://${TOOL_HOST}:${new URL(this.#secure).port}/probe?set"></iframe>`);
      case "GET /probe":
        // First sets one, and then looks for it.
        if (url.search === "?set") return html('<script>location.replace("/probe")</script>', { "set-cookie": "probe=1; Path=/; Secure; SameSite=None" });
        return html(`<p>third party: ${/probe=1/.test(request.headers.cookie ?? "") ? "kept" : "blocked"}</p>`);
      default:
        return void response.writeHead(404).end();
    }
  }

  /** A page with a frame that has a name, and a link beside it. With storage it answers tools as platforms do that have it. */
  #coursePage(id: string): string {
    const storage = this.#launches.get(id)?.hasStorage
      ? `<script>const kept = new Map();
          addEventListener("message", ({ data, source, origin }) => {
            if (origin !== ${JSON.stringify(this.tool)}) return;
            const { subject, message_id, key, value } = data;
            if (subject === "lti.put_data") kept.set(key, value);
            if (subject === "lti.put_data" || subject === "lti.get_data") source.postMessage({ subject: subject + ".response", message_id, key, value: kept.get(key) ?? null }, origin);
          });</script>`
      : "";
    return `<h1>Mathematics</h1>${storage}<iframe title="The tool" width="1000" height="700" src="/start?launch=${id}"></iframe><p><a target="_blank" rel="opener" href="/start?launch=${id}">In a new window</a></p>`;
  }

  #adminPage(): string {
    const query = new URLSearchParams({ openid_configuration: `${this.#plain.replace(TOOL_HOST, PLATFORM_HOST)}/configuration`, registration_token: REGISTRATION_TOKEN });
    return `<h1>Tools</h1><p id="state">open</p><iframe title="The registration" width="1000" height="700" src="${this.tool}/lti/register?${query}"></iframe>
      <script>addEventListener("message", ({ data, origin }) => { if (origin === ${JSON.stringify(this.tool)} && data.subject === "org.imsglobal.lti.close") document.getElementById("state").textContent = "closed"; });</script>`;
  }

  #configuration() {
    const { authorization } = this.facts.endpoints;
    const plain = this.#plain.replace(TOOL_HOST, PLATFORM_HOST);
    return {
      issuer: this.#secure,
      authorization_endpoint: authorization,
      token_endpoint: `${plain}/token`,
      jwks_uri: `${plain}/keys`,
      registration_endpoint: `${plain}/register`,
      scopes_supported: ["openid", "https://purl.imsglobal.org/spec/lti-ags/scope/score"],
      [PLATFORM_CONFIGURATION]: { product_family_code: "course-of-the-tests", version: "1", messages_supported: [{ type: "LtiResourceLinkRequest" }, { type: "LtiDeepLinkingRequest" }] },
    };
  }

  #login(id: string): string {
    const { hasStorage } = this.#launches.get(id)!;
    const query = new URLSearchParams({ iss: this.#secure, client_id: CLIENT, lti_deployment_id: DEPLOYMENT, target_link_uri: `${this.tool}/lti/launch`, login_hint: id, lti_message_hint: id });
    if (hasStorage) query.set("lti_storage_target", "_parent");
    return `${this.tool}/lti/login?${query}`;
  }

  /** The platform believes whoever asks that they are signed in there, and sends them back with a form. */
  #authorize(url: URL, html: (text: string) => void): void {
    const asked = Object.fromEntries(url.searchParams);
    const launch = this.#launches.get(asked["lti_message_hint"] ?? "");
    if (launch === undefined || asked["client_id"] !== CLIENT || asked["redirect_uri"] !== `${this.tool}/lti/launch` || asked["response_mode"] !== "form_post") return html("<p>The platform refuses.</p>");
    const fields = { id_token: this.#signed(launch, asked["nonce"] ?? ""), state: asked["state"] ?? "" };
    const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
    html(`<form method="post" action="${asked["redirect_uri"]}">${inputs.join("")}</form><script>document.forms[0].submit()</script>`);
  }

  #signed({ role, sub, email, name, isDeep, link = "link-1", context = "course-1", custom, target = "iframe" }: Launch, nonce: string): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.#secure, aud: CLIENT, sub, iat: now, exp: now + 300, nonce, name, email,
      [`${CLAIM}version`]: "1.3.0",
      [`${CLAIM}deployment_id`]: DEPLOYMENT,
      [`${CLAIM}target_link_uri`]: `${this.tool}/lti/launch`,
      [`${CLAIM}roles`]: [MEMBERSHIP + role],
      [`${CLAIM}context`]: { id: context, title: "Mathematics" },
      [`${CLAIM}launch_presentation`]: { document_target: target, locale: "en" },
      ...(isDeep
        ? { [`${CLAIM}message_type`]: "LtiDeepLinkingRequest", [`${DEEP_LINKING}deep_linking_settings`]: { accept_types: ["ltiResourceLink"], accept_presentation_document_targets: ["iframe", "window"], accept_multiple: false, deep_link_return_url: `${this.#secure}/return`, data: "opaque & <own>" } }
        : { [`${CLAIM}message_type`]: "LtiResourceLinkRequest", [`${CLAIM}resource_link`]: { id: link, title: "Maths final" }, [`${CLAIM}custom`]: custom }),
    };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part({ alg: "RS256", typ: "JWT", kid: "1" })}.${part(claims)}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), this.#key.privateKey).toString("base64url")}`;
  }
}

/** The same bytes with another header in the place of that cookie's. */
function withoutCookies(part: Buffer): Buffer {
  return Buffer.from(part.toString("latin1").replace(/set-cookie(?=: *__Host-lti=)/gi, "x-is-taken"), "latin1");
}

/** The claims of a token; who has signed it is for other tests. */
function claimsOf(token: string): Record<string, any> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, any>;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return text;
}
