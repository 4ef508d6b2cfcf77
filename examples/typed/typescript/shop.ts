// Calls the demo's shop by the types that openapi-typescript has made of its OpenAPI document.
//
// usage: run.sh [http://127.0.0.1:20000]
import { deepStrictEqual } from "node:assert";
import { exactClient } from "./exact.js";
import type { components, paths } from "./shop-types.js";

const shop = exactClient<paths>(process.argv[2]);
const order: components["schemas"]["Order-Input"] = {
  item: "tea", quantity: 2, price: "3.50", delivery: "POST", day: "2026-12-30",
};

const { data: receipt } = await shop.POST("/io.dubbomesh.demo.shop.Shop/buy", {
  body: order, params: { header: { "X-Request-Timeout": 2000 } },
});
deepStrictEqual({ ...receipt }, { item: "tea", total: 7, delivery: "POST", day: "2027-01-01" });
console.log(`${receipt?.item} for ${receipt?.total}, delivered on ${receipt?.day}`);

const { data: greeting } = await shop.POST("/io.dubbomesh.demo.shop.Shop/greet", { body: ["Ana"] });
deepStrictEqual(greeting, "Welcome to the shop, Ana");
console.log(greeting);

const { error } = await shop.POST("/io.dubbomesh.demo.shop.Shop/buy", { body: { ...order, quantity: 20 } });
deepStrictEqual(error?.exceptionClass, "io.dubbomesh.demo.shop.SoldOutException");
console.log(`${error?.code}: ${error?.detail}`);
