/** The demo's people; all have this password. */
export const demoPassword = 'demo-password';

export const demoHomeowners = {
  homeowner: { email: 'homeowner@demo.nz', firstName: 'Hana', lastName: 'Parata' },
  homeowner2: { email: 'homeowner2@demo.nz', firstName: 'Graeme', lastName: 'Sutherland' },
} as const;

/** Days from the seeding; negative: gone by. */
interface DemoTradie {
  email: string;
  firstName: string;
  lastName: string;
  subscriptionStatus: string;
  validForDays: number;
  businessName: string;
  nzbn: string;
  description: string;
  categoryIds: readonly string[];
  businessAddress: string;
  contactPhone: string;
  locationId: string;
  /** Name of a file in `pictures`. */
  logo: string;
}

/**
 * Businesses that do not exist, under numbers that pass the check digit. The phone numbers are shaped like
 * mobile numbers.
 */
export const demoTradies = {
  tradie: {
    email: 'tradie@demo.nz',
    firstName: 'Wiremu',
    lastName: 'Tautahi',
    subscriptionStatus: 'active',
    validForDays: 365,
    businessName: 'Rangitīkei Roofing & Spouting',
    nzbn: '9429099000011',
    description:
      'Iron roofs, spouting and flashings from Taihape to the coast. Three of us, all local, and we ring back the same day. Free look at any leak within half an hour of Marton.',
    categoryIds: ['roofer', 'spouting', 'builder'],
    businessAddress: '18 Wellington Road, Marton 4710',
    contactPhone: '+64275550142',
    locationId: 'manawatu-whanganui/marton',
    logo: 'logo-roof',
  },
  trialing: {
    email: 'trialing@demo.nz',
    firstName: 'Mele',
    lastName: 'Fifita',
    subscriptionStatus: 'trialing',
    validForDays: 9,
    businessName: 'Taieri Fences and Decks',
    nzbn: '9429099000028',
    description:
      'Fences, gates, decks and pergolas around Dunedin and the Taieri. Tidy sites, straight lines and a price that doesn’t move once we have shaken on it.',
    categoryIds: ['fencer', 'decks', 'carpenter', 'handyman'],
    businessAddress: '4 Factory Road, Mosgiel 9024',
    contactPhone: '+64215550187',
    locationId: 'otago/mosgiel',
    logo: 'logo-fence',
  },
  lapsed: {
    email: 'lapsed@demo.nz',
    firstName: 'Callum',
    lastName: 'Reid',
    subscriptionStatus: 'canceled',
    validForDays: -12,
    businessName: 'Harbour Light Electrical',
    nzbn: '9429099000035',
    description:
      'Registered electrician in Nelson and Tasman. Switchboards, heat pumps, rewires of old villas, and small jobs on Fridays.',
    categoryIds: ['electrician', 'heat-pumps', 'security-data'],
    businessAddress: '27 Vickerman Street, Port Nelson 7010',
    contactPhone: '+64225550163',
    locationId: 'nelson/nelson',
    logo: 'logo-spark',
  },
} as const satisfies Record<string, DemoTradie>;

/** People whose jobs fill the feed. They have no account to sign in to. */
export const demoNeighbours = [
  ['Ngaire', 'Wihongi'],
  ['Brendan', 'O’Sullivan'],
  ['Priya', 'Raman'],
  ['Tama', 'Kīngi'],
  ['Sione', 'Taufa'],
  ['Margaret', 'Doig'],
  ['Xiu', 'Chen'],
  ['Rangi', 'Hohepa'],
  ['Fiona', 'McLeod'],
  ['Ewen', 'Baird'],
  ['Losa', 'Iosefa'],
  ['Dirk', 'van der Meer'],
] as const;

/** Who answered which job, by its title, and what they wrote with it. */
export const demoInterests: readonly {
  tradie: keyof typeof demoTradies;
  job: string;
  hoursAgo: number;
  note: string;
  contactedHoursAgo?: number;
}[] = [
  {
    tradie: 'tradie',
    job: 'Spouting and downpipes on the back of the house',
    hoursAgo: 20,
    note: 'Kia ora, we are in Feilding on Thursday for another roof and could measure up at lunchtime. The fall is easy to put right once the brackets are off.',
  },
  {
    tradie: 'tradie',
    job: 'Roof has rust around the nail heads',
    hoursAgo: 25,
    note: 'Happy to have a look and tell you what will last. If it only needs re-nailing and a treatment we will say so.',
  },
  {
    tradie: 'tradie',
    job: 'Repoint the chimney and fix the flashing',
    hoursAgo: 150,
    note: 'We do the flashing ourselves and work with a brickie from Hunterville for the pointing.',
  },
  {
    tradie: 'tradie',
    job: 'Handrail for the front steps',
    hoursAgo: 10,
    note: 'Galvanised, chemical anchors, half a day. Could be done before she is home.',
  },
  { tradie: 'tradie', job: 'Roof leak over the bunk room', hoursAgo: 3, note: '' },
  {
    tradie: 'trialing',
    job: 'Gate and 12 m of picket fence at the front',
    hoursAgo: 50,
    note: 'I know the fence you mean, we built it. I can call by any evening this week.',
  },
  {
    tradie: 'trialing',
    job: 'Interior doors to plane and hang',
    hoursAgo: 540,
    contactedHoursAgo: 500,
    note: 'Five doors is a day and a bit for me. I bring my own trestles and sweep up.',
  },
  {
    tradie: 'trialing',
    job: 'Replace eight palings and two posts',
    hoursAgo: 4,
    note: 'We are up the island next week with the truck and could do it on the way past, if it can wait till Monday.',
  },
  { tradie: 'trialing', job: 'Stone wall at the gate needs a mason’s eye', hoursAgo: 400, note: '' },
  {
    tradie: 'lapsed',
    job: 'Two power points in the laundry',
    hoursAgo: 500,
    note: 'I visit my sister in Feilding at the end of the month and can do these in a morning.',
  },
  {
    tradie: 'lapsed',
    job: 'Wind turbine shed needs wiring and a test',
    hoursAgo: 470,
    note: 'I have done two of these on d’Urville Island. Tell me the make of the inverter and I will bring the right breakers.',
  },
];
