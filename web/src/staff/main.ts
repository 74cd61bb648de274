// The entry point of the staff pages.

import "../style/base.css";
import "../school/accent.css";
import "./style.css";
import { mount } from "svelte";
import { openSchool } from "../school/shown.svelte";
import App from "./App.svelte";

openSchool(() => {});
const target = document.getElementById("page");
if (target !== null) mount(App, { target });
