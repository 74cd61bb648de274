import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

// Each of these makes the scripts of the students' pages shorter.
export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    discloseVersion: false,
    cssHash: ({ hash, css }) => `s${hash(css).slice(0, 4)}`,
  },
};
