import { badRoadAct, homeownerAwayAct, rejectedAct, visitorAwayAct } from './bad-road-acts.ts';
import { firstSignInAct, firstVisitAct } from './first-visit-act.ts';
import { homeownerAct } from './homeowner-act.ts';
import { longWordsAct, longWordsForTradieAct } from './long-words-act.ts';
import { newcomerAct } from './newcomer-act.ts';
import type { Act } from './scene.ts';
import { lapsedAct, tradieAct, tradieAwayAct } from './tradie-acts.ts';
import { updateAct } from './update-act.ts';
import { visitorAct } from './visitor-act.ts';

/*
 * Every screen in every state worth a look: what `npm run screens` pictures and what the tests for looks and access go through. In
 * this order: the later ones change what the earlier ones show. The two lists need nothing of each other, and about the same time.
 */

export const goodDayActs: readonly Act[] = [visitorAct, newcomerAct, homeownerAct, tradieAct];

export const badDayActs: readonly Act[] = [
  firstVisitAct,
  firstSignInAct,
  lapsedAct,
  visitorAwayAct,
  tradieAwayAct,
  homeownerAwayAct,
  badRoadAct,
  rejectedAct,
  longWordsAct,
  longWordsForTradieAct,
  updateAct,
];
