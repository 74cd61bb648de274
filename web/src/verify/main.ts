// The entry point of the page that checks receipts.

import "../style/base.css";
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("page");
if (target !== null) mount(App, { target });
