import type { Sql } from '../db/database.ts';

/** How a person wants to be told. Hours of the clock in New Zealand. */
export interface AlertPreferences {
  interestPush: boolean;
  jobPush: boolean;
  jobMail: 'off' | 'daily' | 'now';
  quietFrom: number;
  quietTo: number;
  /** Messages a day, at most. */
  perDay: number;
}

/** Where they have chosen nothing. */
const usual: AlertPreferences = {
  interestPush: true,
  jobPush: true,
  jobMail: 'daily',
  quietFrom: 21,
  quietTo: 7,
  perDay: 10,
};

export async function readPreferences(_sql: Sql, _userId: string): Promise<AlertPreferences> {
  return usual;
}
