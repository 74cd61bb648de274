// The entry point of the staff pages.

import "../style/base.css";
import "./style.css";
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("page");
if (target !== null) mount(App, { target });
