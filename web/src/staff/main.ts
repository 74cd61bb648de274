// The entry point of the staff pages.

import "../style/base.css";
import "../school/accent.css";
import "./style.css";
import { mount } from "svelte";
import { openSchool, school } from "../school/shown.svelte";
import App from "./App.svelte";
import { takeZone } from "./zone";

openSchool(() => {});
takeZone(() => school()?.timeZone ?? "");
const target = document.getElementById("page");
if (target !== null) mount(App, { target });
// What the page itself needs comes first.
setTimeout(() => void import("../status/open").then(({ openStatus }) => openStatus("staff"), () => {}), 1_000);
