// What the shell needs of a browser to speak a language, for tests without one. Import it before anything of the shell.

Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-GB"] }, configurable: true });
Object.assign(globalThis, { document: { documentElement: { lang: "" } }, location: { href: "https://exam.test/staff" } });
