import type { DemoJob } from './demo-job.ts';

/** From Golden Bay to the Chathams, newest first within each region. */
export const southIslandJobs: readonly DemoJob[] = [
  {
    title: 'Subfloor moisture and a musty back bedroom',
    description:
      'We think a drain is broken under the lawn: the ground stays wet by the laundry even in a dry month. Someone with a camera to find it and a spade to fix it, please. Clay pipes, 1950s.',
    locationId: 'nelson/stoke',
    categoryId: 'drainlayer',
    urgency: 'soon',
    budgetMax: 3000,
    hoursAgo: 36,
  },
  {
    title: 'Pergola for grapes and a long lunch',
    description:
      'Free-standing, about 5 m by 3.5 m, macrocarpa or Oregon, over existing pavers. Strong enough for a vine in ten years and a hammock next week. No roof wanted.',
    locationId: 'tasman/mapua',
    categoryId: 'decks',
    urgency: 'slow',
    budgetMax: 7500,
    hoursAgo: 215,
    photos: ['deck-2'],
  },
  {
    title: 'Sea wall steps have lost their footing',
    description:
      'Four timber steps down to the beach, the bottom one now hangs in the air after the king tide. Hardwood or concrete, it has to stand salt. Boat access is easier than road at high water.',
    locationId: 'marlborough/waikawa',
    categoryId: 'builder',
    urgency: 'soon',
    budgetMax: 3800,
    hoursAgo: 72,
  },
  {
    title: 'Irrigation and planting for a dry bank',
    description:
      'North-facing bank about 25 m by 6 m, stony river soil. Natives that will hold it together, drip lines off the bore, and bark. We have 200 seedlings on order from the nursery at Renwick.',
    locationId: 'marlborough/blenheim',
    categoryId: 'landscaper',
    urgency: 'slow',
    budgetMax: 6800,
    hoursAgo: 388,
    photos: ['retaining-wall-2'],
  },
  {
    title: 'Roof leak over the bunk room',
    description:
      'It only comes in when it rains from the north-west, which here is most of the time. A patch of flashing by the vent pipe looks suspect. Iron roof, easy pitch. Coffee is good, whitebait in season.',
    locationId: 'west-coast/hokitika',
    categoryId: 'roofer',
    urgency: 'urgent',
    budgetMax: 1500,
    hoursAgo: 4,
    photos: ['roof-4', 'plaster-2'],
  },
  {
    title: 'Coal range out, heat pump in',
    description:
      'The old range has cracked and the chimney is cold. We would like a ducted heat pump for the front three rooms and the hearth made good. House is lined with tongue and groove, please be gentle with it.',
    locationId: 'west-coast/greymouth',
    categoryId: 'heat-pumps',
    urgency: 'slow',
    budgetMax: 9000,
    hoursAgo: 250,
    photos: ['fireplace-4', 'heat-pump-2'],
  },
  {
    title: 'Ring foundation crack, engineer’s report to hand',
    description:
      'Hairline in 2011, now 6 mm at the north corner. The drawing asks for epoxy injection and two underpins. Looking for somebody who has done a few of these.',
    locationId: 'canterbury/christchurch',
    categoryId: 'foundations',
    urgency: 'soon',
    budgetMax: 15000,
    hoursAgo: 79,
  },
  {
    title: 'Ensuite tiles, about 14 square metres',
    description:
      'Walls to 2.1 m and the floor, screeded and waterproofed already, with the certificate. Tiles are on site, 600 by 300, with a niche in the shower that needs mitres.',
    locationId: 'canterbury/rolleston',
    categoryId: 'tiler',
    urgency: 'soon',
    budgetMax: 2800,
    hoursAgo: 43,
    photos: ['tiles-2', 'bathroom-3'],
  },
  {
    title: 'Harbour cottage: carport to a sleepout',
    description:
      'Closing in an existing carport, 3 m by 6 m, one slider and one window, lined and insulated. Drawings have been through council. The lane is narrow, think small truck.',
    locationId: 'canterbury/lyttelton',
    categoryId: 'builder',
    urgency: 'slow',
    budgetMax: 38000,
    hoursAgo: 610,
    photos: ['shed-2', 'plaster-3'],
  },
  {
    title: 'Stone wall at the gate needs a mason’s eye',
    description:
      'Dry-stacked schist, about 7 m, bulging where the truck backed into it. Stone is all there. We would sooner wait for somebody good than have it done with mortar.',
    locationId: 'otago/arrowtown',
    categoryId: 'bricklayer',
    urgency: 'slow',
    budgetMax: 8000,
    hoursAgo: 470,
  },
  {
    title: 'Frozen pipe burst in the roof space',
    description:
      'Water is off at the toby. Ceiling in the hall is on the floor. Need the pipe fixed, lagged so it never happens again, and a name for a gib stopper if you have one.',
    locationId: 'otago/alexandra',
    categoryId: 'plumber',
    urgency: 'urgent',
    budgetMax: 1500,
    hoursAgo: 2,
    photos: ['plaster-4', 'insulation-2'],
  },
  {
    title: 'New vinyl and a wet wall in the bathroom',
    description:
      'Small bathroom in a student flat, 4 square metres. Vinyl up the wall by the shower and a wet wall on two sides. Empty from the second week of November for a fortnight.',
    locationId: 'otago/dunedin',
    categoryId: 'bathrooms',
    urgency: 'soon',
    budgetMax: 4500,
    hoursAgo: 108,
    owner: 'homeowner2',
    photos: ['bathroom-1'],
  },
  {
    title: 'Sand and oil a rimu floor',
    description:
      'Hall and two rooms, about 48 square metres. Carpet is up and the staples are out (my knees can tell you). A matt oil rather than a shiny finish, and a board or two to patch where the heater was.',
    locationId: 'otago/mosgiel',
    categoryId: 'flooring',
    urgency: 'slow',
    budgetMax: 3400,
    hoursAgo: 31,
    owner: 'homeowner2',
    photos: ['floor-3'],
  },
  {
    title: 'Gate and 12 m of picket fence at the front',
    description:
      'Like the one two doors down, if you have seen it: 1.1 m, rounded tops, primed. The old posts will need digging out, they were set in a good lump of concrete by somebody who meant it.',
    locationId: 'otago/mosgiel',
    categoryId: 'fencer',
    urgency: 'soon',
    budgetMax: 2900,
    hoursAgo: 58,
    owner: 'homeowner2',
    photos: ['fence-2', 'gate-2'],
  },
  {
    title: 'Interior doors to plane and hang',
    description:
      'Five panel doors from the demolition yard, all a whisker too big. New hinges, and the privacy sets are in a bucket in the laundry.',
    locationId: 'otago/mosgiel',
    categoryId: 'carpenter',
    urgency: 'slow',
    budgetMax: 1100,
    hoursAgo: 560,
    closedHoursAgo: 220,
    owner: 'homeowner2',
  },
  {
    title: 'Wool shed to wedding venue, just the drawings',
    description:
      'We have a 1912 woolshed and a daughter with a date, fifteen months away. Need concept drawings, advice on change of use and a set for consent. Toilets are the big question.',
    locationId: 'southland/gore',
    categoryId: 'architectural-design',
    urgency: 'slow',
    budgetMax: 12000,
    hoursAgo: 420,
    photos: ['shed-3'],
  },
  {
    title: 'Spouting off the south side, again',
    description:
      'The southerly took 9 m of it and put it in the neighbour’s paddock. Would like it back up with brackets at half the spacing. The neighbour would like it too.',
    locationId: 'southland/riverton-aparima',
    categoryId: 'spouting',
    urgency: 'urgent',
    budgetMax: 900,
    hoursAgo: 21,
    photos: ['spouting-2'],
  },
  {
    title: 'Oyster shed door and a bit of everything',
    description:
      'A list of about ten small things at a house by the wharf: sliding shed door off its track, two sash cords, a dripping tap, a step. A day’s work for somebody handy with a good radio.',
    locationId: 'southland/bluff',
    categoryId: 'handyman',
    urgency: 'soon',
    budgetMax: 750,
    hoursAgo: 125,
  },
  {
    title: 'Re-roof a boatshed on the island',
    description:
      'Six sheets of iron and new ridging, 5 m by 4 m. Materials can come over on the Friday ferry. Bed and blue cod provided. Best done before the tourists are back.',
    locationId: 'southland/stewart-island-oban',
    categoryId: 'roofer',
    urgency: 'slow',
    budgetMax: 4000,
    hoursAgo: 290,
    photos: ['roof-5'],
  },
  {
    title: 'Wind turbine shed needs wiring and a test',
    description:
      'Small turbine and a battery bank, both installed, neither connected. Looking for an electrician who is coming out to the island for other work and has a day to spare. We can meet the plane.',
    locationId: 'chatham-islands/waitangi',
    categoryId: 'electrician',
    urgency: 'slow',
    budgetMax: 3500,
    hoursAgo: 500,
    photos: ['switchboard-2'],
  },
];
