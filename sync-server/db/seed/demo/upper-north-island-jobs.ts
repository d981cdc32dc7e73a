import type { DemoJob } from './demo-job.ts';

/** From the Far North to the Bay of Plenty, newest first within each region. */
export const upperNorthIslandJobs: readonly DemoJob[] = [
  {
    title: 'Deck boards gone soft by the ranchslider',
    description:
      'Our kwila deck is about 12 years old and three boards by the ranchslider have gone spongy. The joists look alright from underneath but I’d like someone to check before summer visitors put a foot through it. Roughly 6 m by 4 m. Easy access down the side, friendly dog.',
    locationId: 'northland/kerikeri',
    categoryId: 'decks',
    urgency: 'soon',
    budgetMax: 3500,
    hoursAgo: 7,
    photos: ['deck-1'],
  },
  {
    title: 'Water tank overflow needs a proper drain',
    description:
      'Twin 25,000 litre tanks, and every time it buckets down the overflow scours out the track behind the shed. Need it piped to the creek, about 30 m, with a bit of rip-rap at the end. Clay ground, ute access in dry weather only.',
    locationId: 'northland/kaitaia',
    categoryId: 'drainlayer',
    urgency: 'soon',
    budgetMax: 4200,
    hoursAgo: 52,
    photos: ['digger-1'],
  },
  {
    title: 'Repaint the south side of a villa',
    description:
      'The front and north were done three years ago and still look smart. The south side has gone mouldy and is flaking around the sills. Weatherboards are kauri, a couple may need a scarf repair. Happy to wait for a good stretch of weather.',
    locationId: 'northland/whangarei',
    categoryId: 'painter',
    urgency: 'slow',
    budgetMax: 8500,
    hoursAgo: 201,
    photos: ['paint-1', 'washing-1'],
  },
  {
    title: 'Bach needs a new hot water cylinder',
    description:
      'The old low-pressure cylinder has started weeping at the base. Would like advice on going mains pressure, the shower has always been a dribble. We are up most weekends, keys with the neighbour at number 9 otherwise.',
    locationId: 'northland/mangawhai',
    categoryId: 'plumber',
    urgency: 'urgent',
    budgetMax: 4000,
    hoursAgo: 19,
    photos: ['sink-1'],
  },
  {
    title: 'Post and batten fence along the boundary',
    description:
      'About 60 m of seven-wire post and batten between us and the farm next door, the heifers have worked out how to lean through it. Neighbour is going halves. Two strainers are still sound and can stay.',
    locationId: 'northland/dargaville',
    categoryId: 'fencer',
    urgency: 'soon',
    budgetMax: 5400,
    hoursAgo: 130,
    photos: ['gate-1'],
  },
  {
    title: 'Leaking shower, water showing on the ceiling below',
    description:
      'Upstairs tiled shower has let go somewhere, there is a brown ring on the dining room ceiling that grows after every shower. We have stopped using it. Need somebody to find it, fix the waterproofing and retile. Happy to use a different tile.',
    locationId: 'auckland/mount-roskill',
    categoryId: 'waterproofing',
    urgency: 'urgent',
    budgetMax: 9000,
    hoursAgo: 3,
    photos: ['bathroom-1', 'tiles-1'],
  },
  {
    title: 'Hedge has got away on us',
    description:
      'Griselinia hedge, 22 m long and now over 3 m high. Would like it down to 1.8 m with a flat top and the clippings gone. Power lines are across the road so no trouble there. Off-street parking for a chipper.',
    locationId: 'auckland/titirangi',
    categoryId: 'arborist',
    urgency: 'soon',
    budgetMax: 1400,
    hoursAgo: 27,
    photos: ['hedge-1'],
  },
  {
    title: 'Heat pump for an upstairs bedroom',
    description:
      'North-west facing room, about 16 square metres, an oven by February. Switchboard was replaced two years ago and has spare ways. The outside unit could go on the wall above the carport.',
    locationId: 'auckland/howick',
    categoryId: 'heat-pumps',
    urgency: 'soon',
    budgetMax: 2800,
    hoursAgo: 74,
    photos: ['heat-pump-1'],
  },
  {
    title: 'Concrete driveway has cracked and lifted',
    description:
      'A pūriri root has lifted one slab about 40 mm and the courier van catches on it. Probably two bays to break out and pour again, exposed aggregate to match the rest if that can be done. The tree stays.',
    locationId: 'auckland/warkworth',
    categoryId: 'concreter',
    urgency: 'slow',
    budgetMax: 6000,
    hoursAgo: 312,
    photos: ['driveway-1'],
  },
  {
    title: 'Fit a cat door in a glass ranchslider',
    description:
      'Need one pane swapped for one with a hole for a microchip cat door. We have already bought the door. Double glazed, about 2.1 m by 0.9 m, and the cat is getting impatient.',
    locationId: 'auckland/new-lynn',
    categoryId: 'glazier',
    urgency: 'slow',
    budgetMax: 900,
    hoursAgo: 410,
    photos: ['window-1'],
  },
  {
    title: 'Garage door stuck halfway',
    description:
      'Tilting door, one spring has let go with a bang and now it sits at knee height with the car inside. I can get by on the ferry till Friday but after that I need the car out. Would also like a price for a new sectional door.',
    locationId: 'auckland/devonport',
    categoryId: 'garage-doors',
    urgency: 'urgent',
    budgetMax: 1200,
    hoursAgo: 11,
  },
  {
    title: 'Level the slab for a garden shed on Waiheke',
    description:
      'Site is on a bit of a slope, shed is 3 m by 2.4 m and arrives flat-packed on the ferry. Needs a small cut, a boxed slab and a hand to stand the shed up. We can provide lunch and the view.',
    locationId: 'auckland/waiheke-island',
    categoryId: 'builder',
    urgency: 'slow',
    budgetMax: 4800,
    hoursAgo: 156,
    photos: ['shed-1'],
  },
  {
    title: 'Switchboard upgrade from ceramic fuses',
    description:
      '1960s brick and tile, still with the old rewirable fuses. The insurer wants it modern before they renew in December. Two heat pumps and a hob to allow for. Meter box is by the front door.',
    locationId: 'waikato/hamilton',
    categoryId: 'electrician',
    urgency: 'soon',
    budgetMax: 3200,
    hoursAgo: 33,
    photos: ['switchboard-1'],
  },
  {
    title: 'Kitchen benchtop and two new drawers',
    description:
      'Not a whole kitchen: the carcasses are good. We want a new laminate benchtop with a sink cut-out, 3.2 m and a short return, and two cupboards turned into pot drawers. Measurements and a sketch ready.',
    locationId: 'waikato/cambridge',
    categoryId: 'kitchens',
    urgency: 'slow',
    budgetMax: 5500,
    hoursAgo: 260,
    photos: ['kitchen-1'],
  },
  {
    title: 'Wasps in the wall of the sleepout',
    description:
      'German wasps coming and going under the cladding on the north side, hundreds of them on a warm afternoon. Grandkids arrive on the 28th, so hoping for somebody before that. I have not sprayed anything.',
    locationId: 'waikato/whitianga',
    categoryId: 'pest-control',
    urgency: 'urgent',
    budgetMax: 350,
    hoursAgo: 15,
  },
  {
    title: 'Re-pile a 1930s cottage',
    description:
      'The front bedroom is 45 mm lower than the back. Had a look under and several of the old tōtara piles have gone at the ground. About 60 piles, crawl space 600 mm. Have council plans from 1998.',
    locationId: 'waikato/thames',
    categoryId: 'foundations',
    urgency: 'slow',
    budgetMax: 28000,
    hoursAgo: 505,
    photos: ['floor-1'],
  },
  {
    title: 'Lake house log burner and flue',
    description:
      'Old burner is no longer compliant. Need a low-emission one, a new flue through a long-run roof and the hearth checked. Would be grand to have it in before the school holidays, it drops to minus four up here.',
    locationId: 'waikato/taupo',
    categoryId: 'fireplaces',
    urgency: 'soon',
    budgetMax: 6500,
    hoursAgo: 91,
    photos: ['fireplace-1'],
  },
  {
    title: 'Retaining wall behind the garage',
    description:
      'Bank has slumped since the February rain and is a metre from the garage wall. About 9 m long and up to 1.2 m high. Timber poles would suit. There is a stormwater line back there which I can show you.',
    locationId: 'bay-of-plenty/tauranga',
    categoryId: 'retaining-walls',
    urgency: 'urgent',
    budgetMax: 14000,
    hoursAgo: 22,
    photos: ['retaining-wall-1'],
  },
  {
    title: 'Solar with a battery, all-electric house',
    description:
      'Roof faces north at about 25 degrees, long-run iron, no shade until 5 pm. We use around 22 units a day plus an EV. Would like two prices: panels only, and with a battery big enough to ride out a power cut.',
    locationId: 'bay-of-plenty/papamoa',
    categoryId: 'solar',
    urgency: 'slow',
    budgetMax: 24000,
    hoursAgo: 118,
    photos: ['solar-1'],
  },
  {
    title: 'Carpet for three bedrooms and the stairs',
    description:
      'Sulphur in the air has not been kind to the old one. Wool blend, mid-grey or oatmeal, 52 square metres including the stairs with a half landing. We can clear the rooms and lift the old carpet ourselves.',
    locationId: 'bay-of-plenty/rotorua',
    categoryId: 'flooring',
    urgency: 'slow',
    budgetMax: 7200,
    hoursAgo: 340,
    photos: ['floor-2'],
  },
  {
    title: 'Big gum over the house needs to come down',
    description:
      'Roughly 20 m, leaning a bit further every winter, and it drops branches on the roof in an easterly. Section is steep and there is no machine access at the back. Firewood can stay, we will share it with the neighbours.',
    locationId: 'bay-of-plenty/whakatane',
    categoryId: 'arborist',
    urgency: 'soon',
    budgetMax: 4500,
    hoursAgo: 61,
    photos: ['tree-1'],
  },
];
