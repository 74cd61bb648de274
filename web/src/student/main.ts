// The entry point of the students' pages.

import "../style/base.css";
import "../school/accent.css";
import "../view/themes.css";
import "../view/view.css";
// Before anything is shown.
import "../view/view.svelte";
import { mount } from "svelte";
import { openSchool } from "../school/shown.svelte";
import { lookFirst } from "../status/first_look";
import App from "./App.svelte";

openSchool();
const target = document.getElementById("page");
if (target !== null) mount(App, { target });
// What the page itself needs comes first.
setTimeout(() => void lookFirst(), 1_000);
