import type { DemoJob } from './demo-job.ts';

/** From Gisborne to Wellington, newest first within each region. */
export const lowerNorthIslandJobs: readonly DemoJob[] = [
  {
    title: 'Insulate under the floor, wool or polyester',
    description:
      'Rimu floor over a dry crawl space, about 95 square metres, bare at the moment. A moisture barrier as well if you think it needs one. My mother is moving in for winter and feels the cold.',
    locationId: 'gisborne/gisborne',
    categoryId: 'insulation',
    urgency: 'soon',
    budgetMax: 4000,
    hoursAgo: 84,
    photos: ['insulation-1'],
  },
  {
    title: 'Track to the woolshed washed out again',
    description:
      'Needs a grader or a decent digger for a day, two culverts cleared and one replaced (450 mm). Metal is stockpiled at the road gate. State Highway 35 is open one lane past us.',
    locationId: 'gisborne/tolaga-bay',
    categoryId: 'earthworks',
    urgency: 'urgent',
    budgetMax: 5000,
    hoursAgo: 39,
    photos: ['digger-2'],
  },
  {
    title: 'Art deco shopfront windows to restore',
    description:
      'Three timber casements with leadlights on a 1933 house. The putty has gone and one sash is jammed. Looking for somebody patient who likes old joinery more than a sander.',
    locationId: 'hawkes-bay/napier',
    categoryId: 'windows-doors',
    urgency: 'slow',
    budgetMax: 3600,
    hoursAgo: 230,
    photos: ['window-2'],
  },
  {
    title: 'Gib and stopping after flood repairs',
    description:
      'Lower walls were stripped to 1.2 m after the cyclone and have been dry for ages now. Four rooms, roughly 80 square metres of gib to hang and stop to level 4. Insulation is already in and signed off.',
    locationId: 'hawkes-bay/wairoa',
    categoryId: 'plasterer',
    urgency: 'soon',
    budgetMax: 9500,
    hoursAgo: 66,
    photos: ['plaster-1'],
  },
  {
    title: 'Pizza oven base and paved corner',
    description:
      'We have the oven in a crate. It needs a solid block base about 1 m square and some old brick paving around it, say 12 square metres, next to the grapevine. The bricks are here, cleaned and stacked.',
    locationId: 'hawkes-bay/havelock-north',
    categoryId: 'bricklayer',
    urgency: 'slow',
    budgetMax: 4200,
    hoursAgo: 372,
  },
  {
    title: 'Roof has rust around the nail heads',
    description:
      'Corrugated iron from the seventies, facing the mountain and everything it sends us. Some sheets may be past it, others may just want a treatment and paint. Would like an honest opinion before spending big.',
    locationId: 'taranaki/stratford',
    categoryId: 'roofer',
    urgency: 'soon',
    budgetMax: 16000,
    hoursAgo: 29,
    photos: ['roof-1'],
  },
  {
    title: 'House wash before we sell',
    description:
      'Two-storey weatherboard, salt and a bit of green on the south. Soft wash please, no high pressure near the old glazing. Photographer comes on the Tuesday after next.',
    locationId: 'taranaki/new-plymouth',
    categoryId: 'house-washing',
    urgency: 'urgent',
    budgetMax: 650,
    hoursAgo: 9,
    photos: ['washing-2'],
  },
  {
    title: 'Spouting and downpipes on the back of the house',
    description:
      'Water comes over the top at the kitchen corner every time it rains and has started to mark the weatherboards. I think the fall is wrong. About 16 m of spouting and two downpipes, single storey, ladder is fine.',
    locationId: 'manawatu-whanganui/feilding',
    categoryId: 'spouting',
    urgency: 'soon',
    budgetMax: 1800,
    hoursAgo: 26,
    owner: 'homeowner',
    photos: ['spouting-1', 'roof-2'],
  },
  {
    title: 'Replace eight palings and two posts',
    description:
      'The wind we had on show day took out a stretch of the back fence. Palings are stacked against the garage, most are fine to use again. The puppy has noticed the gap, so sooner is better.',
    locationId: 'manawatu-whanganui/feilding',
    categoryId: 'fencer',
    urgency: 'urgent',
    budgetMax: 600,
    hoursAgo: 5,
    owner: 'homeowner',
    photos: ['fence-1'],
  },
  {
    title: 'Tidy up the section at my late father’s place',
    description:
      'Quarter-acre with an orchard that wants pruning and lawns up to the knee. Needs a good day or two for two people, and the green waste taken to the transfer station. The lemon tree is precious, please ask before cutting it.',
    locationId: 'manawatu-whanganui/feilding',
    categoryId: 'gardener',
    urgency: 'slow',
    budgetMax: 900,
    hoursAgo: 170,
    owner: 'homeowner',
    photos: ['lawn-1', 'tree-2'],
  },
  {
    title: 'Two power points in the laundry',
    description:
      'One for a dryer and one by the bench, on the other side of the wall from the switchboard. The dryer is already sitting there looking at us.',
    locationId: 'manawatu-whanganui/feilding',
    categoryId: 'electrician',
    urgency: 'slow',
    budgetMax: 450,
    hoursAgo: 520,
    closedHoursAgo: 310,
    owner: 'homeowner',
  },
  {
    title: 'Handrail for the front steps',
    description:
      'Four concrete steps and nothing to hold on to. My aunty is coming home from hospital and needs something solid on the right-hand side going up. Steel or timber, whichever you can do well.',
    locationId: 'manawatu-whanganui/palmerston-north',
    categoryId: 'handyman',
    urgency: 'urgent',
    budgetMax: 700,
    hoursAgo: 13,
    owner: 'homeowner',
  },
  {
    title: 'Repoint the chimney and fix the flashing',
    description:
      'Double brick chimney on a railway house. Mortar is sandy and the flashing lifts in a nor’wester. Scaffold or a very good ladder. We still use the fire, so it has to draw.',
    locationId: 'manawatu-whanganui/taihape',
    categoryId: 'bricklayer',
    urgency: 'soon',
    budgetMax: 2600,
    hoursAgo: 190,
    photos: ['roof-3', 'fireplace-2'],
  },
  {
    title: 'Ski lodge bathroom, tired but sound',
    description:
      'Two shower cubicles, two vanities and new vinyl in a club lodge. Work has to be done between the end of October and the first snow. Accommodation on site, bring your own sheets.',
    locationId: 'manawatu-whanganui/ohakune',
    categoryId: 'bathrooms',
    urgency: 'slow',
    budgetMax: 18000,
    hoursAgo: 440,
    photos: ['bathroom-2'],
  },
  {
    title: 'Seismic fix for a wobbly brick fence',
    description:
      'Street-front brick fence, 14 m, built in the fifties with no steel we can find. You can rock the end panel by hand. Take down and rebuild in block with a plaster finish, or talk us into something better.',
    locationId: 'wellington/petone',
    categoryId: 'bricklayer',
    urgency: 'soon',
    budgetMax: 11000,
    hoursAgo: 57,
  },
  {
    title: 'Bookshelves either side of a fireplace',
    description:
      'Two alcoves, 900 mm wide and 2.7 m high, floor to ceiling with cupboards below. Painted, simple, square. Nothing in this house is square, so bring a good scribe.',
    locationId: 'wellington/karori',
    categoryId: 'carpenter',
    urgency: 'slow',
    budgetMax: 4800,
    hoursAgo: 280,
    photos: ['fireplace-2'],
  },
  {
    title: 'Cabling for a house that works from home',
    description:
      'Three rooms with data points back to the cupboard under the stairs, and two cameras on the street side. Walls are lath and plaster upstairs, gib down. The fibre box is already in.',
    locationId: 'wellington/johnsonville',
    categoryId: 'security-data',
    urgency: 'slow',
    budgetMax: 2200,
    hoursAgo: 144,
  },
  {
    title: 'Gas hob to be connected',
    description:
      'We have swapped ceramic for gas. Bottles and regulator are outside the kitchen wall, the hob is in the box and the bench is cut. Certificate needed for the insurer.',
    locationId: 'wellington/paraparaumu',
    categoryId: 'gasfitter',
    urgency: 'soon',
    budgetMax: 800,
    hoursAgo: 48,
    photos: ['kitchen-2'],
  },
  {
    title: 'Locked out of the woodshed, and new keys all round',
    description:
      'We bought the place last week and nobody knows who has keys. Front, back and garage to be keyed alike, and the padlock on the woodshed cut off. It is a sunny walk up 42 steps, fair warning.',
    locationId: 'wellington/eastbourne',
    categoryId: 'locksmith',
    urgency: 'urgent',
    budgetMax: 600,
    hoursAgo: 17,
  },
];
