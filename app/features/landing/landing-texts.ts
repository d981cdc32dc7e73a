/** What the landing page says, apart from how it looks. */
export const claims = [
  {
    icon: 'dollar',
    title: 'Free to post jobs',
    text: 'Posting costs nothing, and there is no fee when you choose someone.',
  },
  { icon: 'shield', title: 'NZBN verified tradies', text: 'Every tradie signs up with a New Zealand Business Number.' },
  { icon: 'pin', title: '100% Kiwi owned', text: 'Made here, for jobs from Kaitāia to Bluff.' },
] as const;

export const homeownerReasons = [
  {
    icon: 'clock',
    title: 'Under 30 seconds',
    text: 'Say what needs doing, where, and how soon. Add a photo or two if it helps.',
  },
  {
    icon: 'phone',
    title: 'You make the call',
    text: 'See which tradies are interested, with their phone and email, and ring the one you like.',
  },
  {
    icon: 'shield',
    title: 'Your details stay with you',
    text: 'Tradies never see your name, your email or your phone number. Contact goes one way.',
  },
  {
    icon: 'cloudOff',
    title: 'Works without signal',
    text: 'Post from the back paddock. It is kept on your phone and goes out when you are back in coverage.',
  },
] as const;

export const tradieGains = [
  'Unlimited access to every active job',
  'No lead fees and no commission',
  'A public profile for your business',
  'Browse and express interest without signal',
  '14 days free before you pay anything',
] as const;

export const homeownerSteps = [
  { title: 'Post your job', text: 'A title, a few lines, your town and how urgent it is.' },
  { title: 'Tradies put their hand up', text: 'Interested tradies send their details, with a note if they like.' },
  { title: 'Contact them directly', text: 'Compare, call, and get it sorted.' },
] as const;

export const tradieSteps = [
  { title: 'Sign up with your NZBN', text: 'Add your trades and your nearest town.' },
  { title: 'Find jobs near you', text: 'Filter by trade, region and budget.' },
  { title: 'Express interest', text: 'One tap sends your details. The homeowner contacts you.' },
] as const;
