import { expect, test } from "vitest";
import { byPlatform, waitingDeployments, withDeployment, withoutDeployment } from "./platform";
import { examplePlatform } from "./testing/platform";

test("what waits for somebody stands first, and what is shut out last", () => {
  const all = [
    examplePlatform({ name: "Blocked", state: "blocked" }),
    examplePlatform({ name: "Zebra" }),
    examplePlatform({ name: "Canvas", deployments: [{ id: "1", state: "active" }, { id: "2", state: "pending" }] }),
    examplePlatform({ name: "Apple" }),
    examplePlatform({ name: "New", state: "pending" }),
  ];
  expect(all.sort(byPlatform).map(({ name }) => name)).toEqual(["New", "Canvas", "Apple", "Zebra", "Blocked"]);
});

test("a deployment is approved, added and removed without touching the others", () => {
  const one = examplePlatform({ deployments: [{ id: "1", state: "active" }, { id: "2", state: "pending" }] });
  expect(waitingDeployments(one)).toBe(1);
  expect(withDeployment(one, "2", "active")).toEqual([{ id: "1", state: "active" }, { id: "2", state: "active" }]);
  expect(withDeployment(one, "3", "active")).toEqual([...one.deployments, { id: "3", state: "active" }]);
  expect(withoutDeployment(one, "1")).toEqual([{ id: "2", state: "pending" }]);
  expect(one.deployments).toHaveLength(2);
});
