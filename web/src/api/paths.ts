// What the server takes and answers by path and method, as its document says.

import type { paths } from "./schema";

type Verb = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have a method. */
export type PathWith<V extends Verb> = { [P in keyof paths]: paths[P] extends Record<V, object> ? P : never }[keyof paths];

type Operation<P, V> = P extends keyof paths ? (V extends keyof paths[P] ? paths[P][V] : never) : never;
type Response<P, V> = Operation<P, V> extends { responses: infer All } ? All[keyof All] : never;
type Json<R> = R extends { content: { "application/json": infer Body } } ? Body : undefined;

/** What is answered; undefined for an answer that has no JSON. */
export type ValueOf<P, V extends Verb> = Json<Response<P, V>>;

type Part<P, V, Name extends string> = Operation<P, V> extends { parameters: Partial<Record<Name, infer Part>> } ? ([Part] extends [never] ? object : Part) : object;
type OrUndefined<Fields> = { [Name in keyof Fields]: Fields[Name] | undefined };

/** The parts of the path that stand in braces, and the parameters after it. What is undefined is left out. */
export type ParamsOf<P, V extends Verb> = Part<P, V, "path"> & OrUndefined<Part<P, V, "query">>;

/** What is sent. */
export type BodyOf<P, V extends Verb> = Operation<P, V> extends { requestBody?: { content: { "application/json": infer Body } } } ? Body : undefined;
