import { actorOf, type Actor } from '../../shared/actor.ts';
import type { SyncStore } from '../store/sync-store.ts';

/** Those of the people who have a profile, by user id, with their current rights. */
export async function findActors({ single }: SyncStore, userIds: readonly string[]): Promise<Map<string, Actor>> {
  if (userIds.length === 0) return new Map();
  const people = await single.findPeople(userIds);
  return new Map(people.map((person) => [person.id, actorOf(person)]));
}
