// The entry point of the students' pages.

import "../style/base.css";
import "../view/themes.css";
import "../view/view.css";
// Before anything is shown.
import "../view/view.svelte";
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("page");
if (target !== null) mount(App, { target });
