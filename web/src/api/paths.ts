// What the server takes and answers by path and method, as its document says.

import type { paths } from "./schema";

type Verb = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have a method. */
export type PathWith<V extends Verb> = { [P in keyof paths]: paths[P] extends Record<V, object> ? P : never }[keyof paths];

type Operation<P, V> = P extends keyof paths ? (V extends keyof paths[P] ? paths[P][V] : never) : never;
type Response<P, V> = Operation<P, V> extends { responses: infer All } ? All[keyof All] : never;
type Json<R> = [R] extends [never] ? undefined : R extends { content: { "application/json": infer Body } } ? Body : undefined;

/** What is answered; undefined for an answer that has no JSON. */
export type ValueOf<P, V extends Verb> = Json<Response<P, V>>;

type Parameters<P, V> = Operation<P, V> extends { parameters: infer All } ? All : object;
type Part<P, V, Name extends string> = Parameters<P, V> extends Partial<Record<Name, infer Found>> ? ([Found] extends [never] ? object : Found) : object;
type OrUndefined<Fields> = { [Name in keyof Fields]: Fields[Name] | undefined };

type AllOf<P, V> = Part<P, V, "path"> & OrUndefined<Part<P, V, "query">>;

/** The parts of the path that stand in braces, and the parameters after it. What is undefined is left out. */
export type ParamsOf<P, V extends Verb> = keyof AllOf<P, V> extends never ? Record<string, never> : AllOf<P, V>;

/** What is sent. */
export type BodyOf<P, V extends Verb> = Operation<P, V> extends { requestBody?: infer Sent } ? Json<Exclude<Sent, undefined>> : undefined;
