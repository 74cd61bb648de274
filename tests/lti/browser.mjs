// As much of a browser as launches need: cookies, redirections, and forms that a page or a person sends.

import { request } from "node:http";

/** Pages and redirections on one way. */
const STEPS_MAX = 12;
const REDIRECTS = [301, 302, 303, 307, 308];

export class Browser {
  /** Cookies by host: they do not ask for a port. */
  #cookies = new Map();

  /** `destination` is what the browser says of where its pages are shown: "document" or "iframe". */
  constructor(destination = "document") {
    this.destination = destination;
  }

  /** Opens an address as a link on `from` does, and follows where it leads. Forms of others are sent; a page of the tool stays. */
  async open(url, from, stays = () => false) {
    return this.#follow(await this.#ask("GET", url, undefined, from), stays);
  }

  /** Sends a form of a page with these fields beside its own, and follows where that leads. */
  async send(page, form, fields = {}, stays = () => false) {
    const body = new URLSearchParams({ ...form.fields, ...fields });
    const action = new URL(form.action || page.url, page.url).href;
    const asked = form.method === "get" ? this.#ask("GET", `${action}?${body}`, undefined, page.url) : this.#ask("POST", action, String(body), page.url);
    return this.#follow(await asked, stays);
  }

  /** Sends forms that pages send by themselves, until a page stays. */
  async #follow(page, stays) {
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const [form] = formsOf(page.text);
      if (stays(page) || form === undefined || !sendsItself(page.text)) return page;
      const body = String(new URLSearchParams(form.fields));
      page = await this.#ask("POST", new URL(form.action, page.url).href, body, page.url);
    }
    throw new Error(`no end after ${STEPS_MAX} pages: ${page.url}`);
  }

  /** One page, with the redirections before it. What stands behind `#` is in its `url`. */
  async #ask(method, url, body, from) {
    const passed = [];
    for (let step = 0; step < STEPS_MAX; step += 1) {
      passed.push(url);
      const answer = await this.#once(method, url, body, from);
      if (!REDIRECTS.includes(answer.status)) return { ...answer, url, passed };
      const next = new URL(answer.headers.location, url).href;
      // Only 307 and 308 keep the method.
      if (answer.status < 307) [method, body] = ["GET", undefined];
      [from, url] = [from ?? url, next];
    }
    throw new Error(`no end after ${STEPS_MAX} redirections: ${url}`);
  }

  #once(method, url, body, from) {
    const { host, hostname, pathname, port, search } = new URL(url);
    const site = from === undefined ? "none" : new URL(from).host === host ? "same-origin" : "cross-site";
    const headers = {
      accept: "text/html",
      "accept-language": "en",
      cookie: [...(this.#cookies.get(hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join("; "),
      "sec-fetch-dest": this.destination,
      "sec-fetch-mode": "navigate",
      "sec-fetch-site": site,
      ...(method === "POST" ? { origin: new URL(from).origin, "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(body) } : {}),
    };
    return new Promise((resume, reject) => {
      const asked = request({ hostname, port, path: pathname + search, method, headers }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part) => (text += part)).on("error", reject);
        answer.on("end", () => {
          this.#keep(hostname, answer.headers["set-cookie"] ?? []);
          resume({ status: answer.statusCode, headers: answer.headers, text });
        });
      });
      asked.on("error", reject).end(body);
    });
  }

  #keep(host, set) {
    const kept = this.#cookies.get(host) ?? new Map();
    this.#cookies.set(host, kept);
    for (const line of set) {
      const [pair, ...rest] = line.split(";");
      const at = pair.indexOf("=");
      if (rest.some((part) => /^\s*max-age=0$/i.test(part))) kept.delete(pair.slice(0, at));
      else kept.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  /** Takes no more cookies, and has none. */
  forget() {
    this.#cookies.clear();
  }
}

const sendsItself = (html) => /\.submit\(\)/.test(html);
const text = (value) => value.replace(/&quot;/g, '"').replace(/&#(?:x27|39);/g, "'").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

function attributesOf(tag) {
  return Object.fromEntries([...tag.matchAll(/([a-z][\w-]*)(?:\s*=\s*"([^"]*)")?/gi)].slice(1).map(([, name, value = ""]) => [name.toLowerCase(), text(value)]));
}

/** The forms of a page: where each leads, its fixed fields, and what a person may choose in it. */
export function formsOf(html) {
  return [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/gi)].map(([form]) => {
    const own = attributesOf(/<form\b[^>]*>/i.exec(form)[0]);
    const controls = [...form.matchAll(/<(input|button)\b[^>]*>/gi)].map(([tag, element]) => ({ element: element.toLowerCase(), type: "text", ...attributesOf(tag) })).filter(({ name }) => name);
    const isChoice = ({ element, type }) => element === "button" || ["radio", "checkbox", "submit"].includes(type);
    const fixed = controls.filter((control) => !isChoice(control));
    return {
      action: own.action ?? "",
      method: (own.method ?? "get").toLowerCase(),
      fields: Object.fromEntries(fixed.map(({ name, value = "" }) => [name, value])),
      choices: controls.filter(isChoice).map(({ name, value = "" }) => ({ name, value })),
    };
  });
}
