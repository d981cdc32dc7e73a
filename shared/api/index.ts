import type * as z from 'zod/mini';
import { alertCalls } from './alerts.ts';
import { billingCalls } from './billing.ts';
import { jobCalls } from './jobs.ts';
import { referenceCalls } from './reference.ts';
import { tradieCalls } from './tradies.ts';
import { userCalls } from './users.ts';

/** Every documented REST call. The server has a handler for each, or it does not compile. */
export const calls = { ...referenceCalls, ...userCalls, ...jobCalls, ...tradieCalls, ...billingCalls, ...alertCalls };

export type CallName = keyof typeof calls;
export const callNames = Object.keys(calls) as CallName[];

type Part<Name extends CallName, Key extends 'params' | 'query' | 'body' | 'answer'> = (typeof calls)[Name][Key];

/** What a handler is given: parsed. */
export type ParamsOf<Name extends CallName> = z.output<Part<Name, 'params'>>;
export type QueryOf<Name extends CallName> = z.output<Part<Name, 'query'>>;
export type BodyOf<Name extends CallName> = z.output<Part<Name, 'body'>>;
/** What a caller sends. */
export type SentBodyOf<Name extends CallName> = z.input<Part<Name, 'body'>>;
export type AnswerOf<Name extends CallName> = z.output<Part<Name, 'answer'>>;
