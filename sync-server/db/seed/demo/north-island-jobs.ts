import type { DemoJob } from './demo-job.ts';

/** From the Far North to Wellington, newest first within each region. */
export const northIslandJobs: readonly DemoJob[] = [
  {
    title: 'Deck boards gone soft by the ranchslider',
    description: 'Our kwila deck is about 12 years old and three boards by the ranchslider have gone spongy. The joists look alright from underneath but I’d like someone to check before summer visitors put a foot through it. Roughly 6 m by 4 m. Easy access down the side, friendly dog.',
    locationId: 'northland/kerikeri', categoryId: 'decks', urgency: 'soon', budgetMax: 3500, hoursAgo: 7, photos: ['deck'],
  },
  {
    title: 'Water tank overflow needs a proper drain',
    description: 'Twin 25,000 litre tanks, and every time it buckets down the overflow scours out the track behind the shed. Need it piped to the creek, about 30 m, with a bit of rip-rap at the end. Clay ground, ute access in dry weather only.',
    locationId: 'northland/kaitaia', categoryId: 'drainlayer', urgency: 'soon', budgetMax: 4200, hoursAgo: 52, photos: ['digger'],
  },
  {
    title: 'Repaint the south side of a villa',
    description: 'The front and north were done three years ago and still look smart. The south side has gone mouldy and is flaking around the sills. Weatherboards are kauri, a couple may need a scarf repair. Happy to wait for a good stretch of weather.',
    locationId: 'northland/whangarei', categoryId: 'painter', urgency: 'slow', budgetMax: 8500, hoursAgo: 201, photos: ['paint', 'washing'],
  },
  {
    title: 'Bach needs a new hot water cylinder',
    description: 'The old low-pressure cylinder has started weeping at the base. Would like advice on going mains pressure, the shower has always been a dribble. We are up most weekends, keys with the neighbour at number 9 otherwise.',
    locationId: 'northland/mangawhai', categoryId: 'plumber', urgency: 'urgent', budgetMax: 4000, hoursAgo: 19, photos: ['sink'],
  },
  {
    title: 'Post and batten fence along the boundary',
    description: 'About 60 m of seven-wire post and batten between us and the farm next door, the heifers have worked out how to lean through it. Neighbour is going halves. Two strainers are still sound and can stay.',
    locationId: 'northland/dargaville', categoryId: 'fencer', urgency: 'soon', budgetMax: 5400, hoursAgo: 130, photos: ['gate'],
  },
  {
    title: 'Leaking shower, water showing on the ceiling below',
    description: 'Upstairs tiled shower has let go somewhere, there is a brown ring on the dining room ceiling that grows after every shower. We have stopped using it. Need somebody to find it, fix the waterproofing and retile. Happy to use a different tile.',
    locationId: 'auckland/mount-roskill', categoryId: 'waterproofing', urgency: 'urgent', budgetMax: 9000, hoursAgo: 3, photos: ['bathroom', 'tiles'],
  },
  {
    title: 'Hedge has got away on us',
    description: 'Griselinia hedge, 22 m long and now over 3 m high. Would like it down to 1.8 m with a flat top and the clippings gone. Power lines are across the road so no trouble there. Off-street parking for a chipper.',
    locationId: 'auckland/titirangi', categoryId: 'arborist', urgency: 'soon', budgetMax: 1400, hoursAgo: 27, photos: ['hedge'],
  },
  {
    title: 'Heat pump for an upstairs bedroom',
    description: 'North-west facing room, about 16 square metres, an oven by February. Switchboard was replaced two years ago and has spare ways. The outside unit could go on the wall above the carport.',
    locationId: 'auckland/howick', categoryId: 'heat-pumps', urgency: 'soon', budgetMax: 2800, hoursAgo: 74, photos: ['heatPump'],
  },
  {
    title: 'Concrete driveway has cracked and lifted',
    description: 'A pūriri root has lifted one slab about 40 mm and the courier van catches on it. Probably two bays to break out and pour again, exposed aggregate to match the rest if that can be done. The tree stays.',
    locationId: 'auckland/warkworth', categoryId: 'concreter', urgency: 'slow', budgetMax: 6000, hoursAgo: 312, photos: ['driveway'],
  },
  {
    title: 'Fit a cat door in a glass ranchslider',
    description: 'Need one pane swapped for one with a hole for a microchip cat door. We have already bought the door. Double glazed, about 2.1 m by 0.9 m, and the cat is getting impatient.',
    locationId: 'auckland/new-lynn', categoryId: 'glazier', urgency: 'slow', budgetMax: 900, hoursAgo: 410, photos: ['window'],
  },
  {
    title: 'Garage door stuck halfway',
    description: 'Tilting door, one spring has let go with a bang and now it sits at knee height with the car inside. I can get by on the ferry till Friday but after that I need the car out. Would also like a price for a new sectional door.',
    locationId: 'auckland/devonport', categoryId: 'garage-doors', urgency: 'urgent', budgetMax: 1200, hoursAgo: 11,
  },
  {
    title: 'Level the slab for a garden shed on Waiheke',
    description: 'Site is on a bit of a slope, shed is 3 m by 2.4 m and arrives flat-packed on the ferry. Needs a small cut, a boxed slab and a hand to stand the shed up. We can provide lunch and the view.',
    locationId: 'auckland/waiheke-island', categoryId: 'builder', urgency: 'slow', budgetMax: 4800, hoursAgo: 156, photos: ['shed'],
  },
  {
    title: 'Switchboard upgrade from ceramic fuses',
    description: '1960s brick and tile, still with the old rewirable fuses. The insurer wants it modern before they renew in December. Two heat pumps and a hob to allow for. Meter box is by the front door.',
    locationId: 'waikato/hamilton', categoryId: 'electrician', urgency: 'soon', budgetMax: 3200, hoursAgo: 33, photos: ['switchboard'],
  },
  {
    title: 'Kitchen benchtop and two new drawers',
    description: 'Not a whole kitchen: the carcasses are good. We want a new laminate benchtop with a sink cut-out, 3.2 m and a short return, and two cupboards turned into pot drawers. Measurements and a sketch ready.',
    locationId: 'waikato/cambridge', categoryId: 'kitchens', urgency: 'slow', budgetMax: 5500, hoursAgo: 260, photos: ['kitchen'],
  },
  {
    title: 'Wasps in the wall of the sleepout',
    description: 'German wasps coming and going under the cladding on the north side, hundreds of them on a warm afternoon. Grandkids arrive on the 28th, so hoping for somebody before that. I have not sprayed anything.',
    locationId: 'waikato/whitianga', categoryId: 'pest-control', urgency: 'urgent', budgetMax: 350, hoursAgo: 15,
  },
  {
    title: 'Re-pile a 1930s cottage',
    description: 'The front bedroom is 45 mm lower than the back. Had a look under and several of the old tōtara piles have gone at the ground. About 60 piles, crawl space 600 mm. Have council plans from 1998.',
    locationId: 'waikato/thames', categoryId: 'foundations', urgency: 'slow', budgetMax: 28000, hoursAgo: 505, photos: ['floor'],
  },
  {
    title: 'Lake house log burner and flue',
    description: 'Old burner is no longer compliant. Need a low-emission one, a new flue through a long-run roof and the hearth checked. Would be grand to have it in before the school holidays, it drops to minus four up here.',
    locationId: 'waikato/taupo', categoryId: 'fireplaces', urgency: 'soon', budgetMax: 6500, hoursAgo: 91, photos: ['fireplace'],
  },
  {
    title: 'Retaining wall behind the garage',
    description: 'Bank has slumped since the February rain and is a metre from the garage wall. About 9 m long and up to 1.2 m high. Timber poles would suit. There is a stormwater line back there which I can show you.',
    locationId: 'bay-of-plenty/tauranga', categoryId: 'retaining-walls', urgency: 'urgent', budgetMax: 14000, hoursAgo: 22, photos: ['retainingWall'],
  },
  {
    title: 'Solar with a battery, all-electric house',
    description: 'Roof faces north at about 25 degrees, long-run iron, no shade until 5 pm. We use around 22 units a day plus an EV. Would like two prices: panels only, and with a battery big enough to ride out a power cut.',
    locationId: 'bay-of-plenty/papamoa', categoryId: 'solar', urgency: 'slow', budgetMax: 24000, hoursAgo: 118, photos: ['solar'],
  },
  {
    title: 'Carpet for three bedrooms and the stairs',
    description: 'Sulphur in the air has not been kind to the old one. Wool blend, mid-grey or oatmeal, 52 square metres including the stairs with a half landing. We can clear the rooms and lift the old carpet ourselves.',
    locationId: 'bay-of-plenty/rotorua', categoryId: 'flooring', urgency: 'slow', budgetMax: 7200, hoursAgo: 340, photos: ['floor'],
  },
  {
    title: 'Big gum over the house needs to come down',
    description: 'Roughly 20 m, leaning a bit further every winter, and it drops branches on the roof in an easterly. Section is steep and there is no machine access at the back. Firewood can stay, we will share it with the neighbours.',
    locationId: 'bay-of-plenty/whakatane', categoryId: 'arborist', urgency: 'soon', budgetMax: 4500, hoursAgo: 61, photos: ['tree'],
  },
  {
    title: 'Insulate under the floor, wool or polyester',
    description: 'Rimu floor over a dry crawl space, about 95 square metres, bare at the moment. A moisture barrier as well if you think it needs one. My mother is moving in for winter and feels the cold.',
    locationId: 'gisborne/gisborne', categoryId: 'insulation', urgency: 'soon', budgetMax: 4000, hoursAgo: 84, photos: ['insulation'],
  },
  {
    title: 'Track to the woolshed washed out again',
    description: 'Needs a grader or a decent digger for a day, two culverts cleared and one replaced (450 mm). Metal is stockpiled at the road gate. State Highway 35 is open one lane past us.',
    locationId: 'gisborne/tolaga-bay', categoryId: 'earthworks', urgency: 'urgent', budgetMax: 5000, hoursAgo: 39, photos: ['digger'],
  },
  {
    title: 'Art deco shopfront windows to restore',
    description: 'Three timber casements with leadlights on a 1933 house. The putty has gone and one sash is jammed. Looking for somebody patient who likes old joinery more than a sander.',
    locationId: 'hawkes-bay/napier', categoryId: 'windows-doors', urgency: 'slow', budgetMax: 3600, hoursAgo: 230, photos: ['window'],
  },
  {
    title: 'Gib and stopping after flood repairs',
    description: 'Lower walls were stripped to 1.2 m after the cyclone and have been dry for ages now. Four rooms, roughly 80 square metres of gib to hang and stop to level 4. Insulation is already in and signed off.',
    locationId: 'hawkes-bay/wairoa', categoryId: 'plasterer', urgency: 'soon', budgetMax: 9500, hoursAgo: 66, photos: ['plaster'],
  },
  {
    title: 'Pizza oven base and paved corner',
    description: 'We have the oven in a crate. It needs a solid block base about 1 m square and some old brick paving around it, say 12 square metres, next to the grapevine. The bricks are here, cleaned and stacked.',
    locationId: 'hawkes-bay/havelock-north', categoryId: 'bricklayer', urgency: 'slow', budgetMax: 4200, hoursAgo: 372,
  },
  {
    title: 'Roof has rust around the nail heads',
    description: 'Corrugated iron from the seventies, facing the mountain and everything it sends us. Some sheets may be past it, others may just want a treatment and paint. Would like an honest opinion before spending big.',
    locationId: 'taranaki/stratford', categoryId: 'roofer', urgency: 'soon', budgetMax: 16000, hoursAgo: 29, photos: ['roof'],
  },
  {
    title: 'House wash before we sell',
    description: 'Two-storey weatherboard, salt and a bit of green on the south. Soft wash please, no high pressure near the old glazing. Photographer comes on the Tuesday after next.',
    locationId: 'taranaki/new-plymouth', categoryId: 'house-washing', urgency: 'urgent', budgetMax: 650, hoursAgo: 9, photos: ['washing'],
  },
  {
    title: 'Spouting and downpipes on the back of the house',
    description: 'Water comes over the top at the kitchen corner every time it rains and has started to mark the weatherboards. I think the fall is wrong. About 16 m of spouting and two downpipes, single storey, ladder is fine.',
    locationId: 'manawatu-whanganui/feilding', categoryId: 'spouting', urgency: 'soon', budgetMax: 1800, hoursAgo: 26, owner: 'homeowner', photos: ['spouting', 'roof'],
  },
  {
    title: 'Replace eight palings and two posts',
    description: 'The wind we had on show day took out a stretch of the back fence. Palings are stacked against the garage, most are fine to use again. The puppy has noticed the gap, so sooner is better.',
    locationId: 'manawatu-whanganui/feilding', categoryId: 'fencer', urgency: 'urgent', budgetMax: 600, hoursAgo: 5, owner: 'homeowner', photos: ['fence'],
  },
  {
    title: 'Tidy up the section at my late father’s place',
    description: 'Quarter-acre with an orchard that wants pruning and lawns up to the knee. Needs a good day or two for two people, and the green waste taken to the transfer station. The lemon tree is precious, please ask before cutting it.',
    locationId: 'manawatu-whanganui/feilding', categoryId: 'gardener', urgency: 'slow', budgetMax: 900, hoursAgo: 170, owner: 'homeowner', photos: ['lawn', 'tree'],
  },
  {
    title: 'Two power points in the laundry',
    description: 'One for a dryer and one by the bench, on the other side of the wall from the switchboard. The dryer is already sitting there looking at us.',
    locationId: 'manawatu-whanganui/feilding', categoryId: 'electrician', urgency: 'slow', budgetMax: 450, hoursAgo: 520, closedHoursAgo: 310, owner: 'homeowner',
  },
  {
    title: 'Handrail for the front steps',
    description: 'Four concrete steps and nothing to hold on to. My aunty is coming home from hospital and needs something solid on the right-hand side going up. Steel or timber, whichever you can do well.',
    locationId: 'manawatu-whanganui/palmerston-north', categoryId: 'handyman', urgency: 'urgent', budgetMax: 700, hoursAgo: 13, owner: 'homeowner',
  },
  {
    title: 'Repoint the chimney and fix the flashing',
    description: 'Double brick chimney on a railway house. Mortar is sandy and the flashing lifts in a nor’wester. Scaffold or a very good ladder. We still use the fire, so it has to draw.',
    locationId: 'manawatu-whanganui/taihape', categoryId: 'bricklayer', urgency: 'soon', budgetMax: 2600, hoursAgo: 190, photos: ['roof', 'fireplace'],
  },
  {
    title: 'Ski lodge bathroom, tired but sound',
    description: 'Two shower cubicles, two vanities and new vinyl in a club lodge. Work has to be done between the end of October and the first snow. Accommodation on site, bring your own sheets.',
    locationId: 'manawatu-whanganui/ohakune', categoryId: 'bathrooms', urgency: 'slow', budgetMax: 18000, hoursAgo: 440, photos: ['bathroom'],
  },
  {
    title: 'Seismic fix for a wobbly brick fence',
    description: 'Street-front brick fence, 14 m, built in the fifties with no steel we can find. You can rock the end panel by hand. Take down and rebuild in block with a plaster finish, or talk us into something better.',
    locationId: 'wellington/petone', categoryId: 'bricklayer', urgency: 'soon', budgetMax: 11000, hoursAgo: 57,
  },
  {
    title: 'Bookshelves either side of a fireplace',
    description: 'Two alcoves, 900 mm wide and 2.7 m high, floor to ceiling with cupboards below. Painted, simple, square. Nothing in this house is square, so bring a good scribe.',
    locationId: 'wellington/karori', categoryId: 'carpenter', urgency: 'slow', budgetMax: 4800, hoursAgo: 280, photos: ['fireplace'],
  },
  {
    title: 'Cabling for a house that works from home',
    description: 'Three rooms with data points back to the cupboard under the stairs, and two cameras on the street side. Walls are lath and plaster upstairs, gib down. The fibre box is already in.',
    locationId: 'wellington/johnsonville', categoryId: 'security-data', urgency: 'slow', budgetMax: 2200, hoursAgo: 144,
  },
  {
    title: 'Gas hob to be connected',
    description: 'We have swapped ceramic for gas. Bottles and regulator are outside the kitchen wall, the hob is in the box and the bench is cut. Certificate needed for the insurer.',
    locationId: 'wellington/paraparaumu', categoryId: 'gasfitter', urgency: 'soon', budgetMax: 800, hoursAgo: 48, photos: ['kitchen'],
  },
  {
    title: 'Locked out of the woodshed, and new keys all round',
    description: 'We bought the place last week and nobody knows who has keys. Front, back and garage to be keyed alike, and the padlock on the woodshed cut off. It is a sunny walk up 42 steps, fair warning.',
    locationId: 'wellington/eastbourne', categoryId: 'locksmith', urgency: 'urgent', budgetMax: 600, hoursAgo: 17,
  },
];
