import { measure, type Measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { categories, createLighthouse, type Category, type Report } from '../lighthouse/create-lighthouse.ts';

/** What each category is to reach. */
const least: Record<Category, number> = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };

/** A first visit to each page that a search engine or a shared link leads to. */
export const firstImpression: Workload = {
  ids: ['B14'],
  run: async (fixture) => {
    const world = await fixture.world();
    const lighthouse = await createLighthouse();
    const pages = ['/', '/legal', '/find-tradies', `/tradie/${world.rows.tradies[0]?.id}`];
    const measures: Measure[] = [];
    for (const path of pages) {
      const reports: Report[] = [];
      for (let run = 0; run < fixture.runs; run += 1) reports.push(await lighthouse.report(world.url + path));
      const page = path.replace(/[0-9a-f-]{36}$/, '{id}');
      for (const category of categories) {
        const runs = reports.map(({ scores }) => scores[category]);
        measures.push(
          measure({
            id: 'B14',
            name: `Lighthouse mobile, ${page}: ${category}`,
            unit: 'points',
            runs,
            target: { words: category === 'performance' ? '>= 95' : '100', atLeast: least[category] },
          }),
        );
      }
      measures.push(
        measure({
          id: 'B14',
          name: `${page}: largest contentful paint`,
          unit: 'ms',
          runs: reports.map(({ times }) => times.largestPaint),
        }),
      );
      measures.push(
        measure({
          id: 'B14',
          name: `${page}: main thread blocked`,
          unit: 'ms',
          runs: reports.map(({ times }) => times.blocked),
        }),
      );
      for (const { times } of reports) fixture.say(`${page} ${JSON.stringify(times)}`);
      for (const finding of new Set(reports.flatMap(({ findings }) => findings)))
        fixture.say(`${page} lost points for ${finding}`);
    }
    return measures;
  },
};
