import type { ExchangeAnswer, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import type { Actor } from '../../shared/actor.ts';
import {
  answerFrom,
  carriedText,
  followsAll,
  isElsewhere,
  questionOf,
  rowsIn,
  standingAfter,
  versionOf,
  type SharedChange,
  type Standing,
} from './carried-changes.ts';

/** A device's stream. */
export interface PokeListener {
  readonly userId: string;
  /** The commit version the device has seen, where it says so. */
  readonly since?: string | undefined;
  onPoke(): void;
  /** Present where the device takes changes. */
  readonly changes?: ChangeListener | undefined;
}

export interface ChangeListener {
  /** By which the device's exchanges are known. */
  readonly device: string;
  /**
   * Is the session of the stream still there? What is carried is data, and a session may have ended since the stream
   * began.
   */
  isSessionLive(): Promise<boolean>;
  /** Sends the text of a change; false where the reader has not read what came before. */
  onChange(text: string): boolean;
}

export interface ListeningDevice {
  readonly listener: PokeListener;
  /** The person's rights; undefined: no profile yet. */
  actor: Actor | undefined;
  /** Tells it to look again. */
  poke(): void;
  /** A commit concerns it. `shared` where it changed nothing but shared collections for this person. */
  tell(shared: SharedChange | undefined): void;
  /** An exchange of this device begins; what is returned is called once, with its answer where there is one. */
  exchangeBegins(): (request: ExchangeRequest, answer: ExchangeAnswer | undefined) => void;
  /** Where the device stands is no longer known. */
  forget(): void;
  /** Where it stands, as far as that is known. */
  standing(): Standing | undefined;
}

interface DeviceParts {
  clock: () => Date;
  /** The newest commit version this instance knows of. */
  head(): string;
  /** The pull half of an exchange, of its own; undefined where too many wait for one. */
  ask(userId: string, request: ExchangeRequest): Promise<ExchangeAnswer> | undefined;
  /** A device could not be told. */
  onError(error: unknown): void;
}

/**
 * One device that listens: what it is told of a commit. It is sent the change itself (P10) where it is known where it
 * stands, and it is doing nothing else; otherwise it is poked, and its next exchange says where it stands. While an
 * exchange or an answer is under way, commits are remembered, and what is still owed afterwards is sent then.
 */
export function createListeningDevice(
  listener: PokeListener,
  { clock, head, ask, onError }: DeviceParts,
): ListeningDevice {
  const { userId, changes } = listener;
  let standing: Standing | undefined;
  let exchanges = 0;
  let isAnswering = false;
  let isOwed = false;

  function poke(): void {
    standing = undefined;
    try {
      listener.onPoke();
    } catch (error) {
      onError(error);
    }
  }

  function tell(shared: SharedChange | undefined): void {
    if (changes !== undefined && (exchanges > 0 || isAnswering)) isOwed = true;
    else if (standing !== undefined && isAtLeast(standing, head())) return;
    else if (changes === undefined || standing === undefined) poke();
    else if (shared !== undefined && isElsewhere(shared, standing)) return;
    else if (!followsAll(standing, device.actor, clock().toISOString())) poke();
    else void carry(changes, standing, shared);
  }

  async function carry(to: ChangeListener, from: Standing, shared: SharedChange | undefined): Promise<void> {
    isAnswering = true;
    try {
      const answer = await answerTo(from, shared);
      const isAllowed = answer !== undefined && (await to.isSessionLive());
      // An exchange that began meanwhile brings the same, and more.
      if (exchanges > 0) isOwed = true;
      else if (!isAllowed || !send(to, from, answer)) poke();
    } catch (error) {
      onError(error);
      poke();
    } finally {
      isAnswering = false;
    }
    settle();
  }

  /** Undefined where it has to ask itself. */
  async function answerTo(from: Standing, shared: SharedChange | undefined): Promise<ExchangeAnswer | undefined> {
    if (shared === undefined) return ask(userId, questionOf(userId, from));
    return answerFrom(shared, from, device.actor, clock().toISOString());
  }

  /** False where the answer cannot be carried, or not to this reader. */
  function send(to: ChangeListener, from: Standing, answer: ExchangeAnswer): boolean {
    // An exchange, or an answer that was read after later commits, brought all of it.
    if (answer.kind === 'delta' && rowsIn(answer) === 0 && !answer.more) return true;
    const text = carriedText(userId, from, answer);
    if (text === undefined || !to.onChange(text)) return false;
    standing = standingAfter(questionOf(userId, from), answer);
    return true;
  }

  /** What came while it was busy. */
  function settle(): void {
    if (!isOwed || exchanges > 0 || isAnswering) return;
    isOwed = false;
    tell(undefined);
  }

  const device: ListeningDevice = {
    listener,
    actor: undefined,
    poke,
    tell,
    exchangeBegins() {
      exchanges += 1;
      return (request, answer) => {
        exchanges -= 1;
        standing = answer === undefined ? undefined : standingAfter(request, answer);
        settle();
      };
    },
    forget: () => void (standing = undefined),
    standing: () => standing,
  };
  return device;
}

/**
 * Has a device that stands there all private rows up to this version? Its collections were read in the same snapshot.
 */
const isAtLeast = (standing: Standing, head: string): boolean => (versionOf(standing) ?? -1n) >= BigInt(head);
