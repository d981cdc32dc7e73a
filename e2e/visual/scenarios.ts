import {
  badNetworkScenario,
  homeownerAwayScenario,
  rejectedScenario,
  visitorAwayScenario,
} from './bad-network-scenarios.ts';
import { firstSignInScenario, firstVisitScenario } from './first-visit-scenario.ts';
import { homeownerScenario } from './homeowner-scenario.ts';
import { longWordsScenario, longWordsForTradieScenario } from './long-words-scenario.ts';
import { mailedLinkScenario } from './mailed-link-scenario.ts';
import { newcomerScenario } from './newcomer-scenario.ts';
import { restoredScenario } from './restored-scenario.ts';
import type { Scenario } from './screen-state.ts';
import { lapsedScenario, tradieScenario, tradieAwayScenario } from './tradie-scenarios.ts';
import { updateScenario } from './update-scenario.ts';
import { visitorScenario } from './visitor-scenario.ts';

/*
 * Every screen in every state worth checking: what `npm run screens` pictures and what the visual tests go through. In
 * this order: the later ones change what the earlier ones show. The two lists are independent, and take about the same
 * time.
 */

export const goodDayScenarios: readonly Scenario[] = [
  visitorScenario,
  newcomerScenario,
  mailedLinkScenario,
  homeownerScenario,
  tradieScenario,
];

export const badDayScenarios: readonly Scenario[] = [
  firstVisitScenario,
  firstSignInScenario,
  lapsedScenario,
  visitorAwayScenario,
  tradieAwayScenario,
  homeownerAwayScenario,
  badNetworkScenario,
  rejectedScenario,
  longWordsScenario,
  longWordsForTradieScenario,
  restoredScenario,
  updateScenario,
];

/** Examined in `npm run test:long` alone: parts and layouts of the others, in rarer states. */
export const inLongRunAlone: ReadonlySet<Scenario> = new Set([
  newcomerScenario,
  mailedLinkScenario,
  firstSignInScenario,
  lapsedScenario,
  visitorAwayScenario,
  homeownerAwayScenario,
  badNetworkScenario,
  rejectedScenario,
  longWordsScenario,
  longWordsForTradieScenario,
  restoredScenario,
  updateScenario,
]);
