/** One part of a document: its heading, then paragraphs; a list where the paragraph is one. */
export interface Clause {
  readonly heading: string;
  readonly says: readonly (string | readonly string[])[];
}

export interface LegalDocument {
  /** The anchor of its links. */
  readonly id: 'privacy' | 'tradies' | 'all-users';
  readonly title: string;
  /** A summary in a sentence or two. */
  readonly inShort: string;
  readonly clauses: readonly Clause[];
}

export const lastUpdated = '13 October 2025';

const privacy: LegalDocument = {
  id: 'privacy',
  title: 'Privacy Policy',
  inShort:
    'We collect what connecting homeowners and tradies needs, we do not sell it, and a homeowner’s name, email and phone number are never given to a tradie.',
  clauses: [
    {
      heading: 'Who this is about',
      says: [
        'This policy says what Dwang collects about you, why, where it is kept and what you can ask of us. We follow the New Zealand Privacy Act 2020 and its information privacy principles.',
      ],
    },
    {
      heading: 'What we collect, and why',
      says: [
        [
          'Your email, first name and last name, so that you have an account and we can write to you about it.',
          'The jobs you post: title, description, town, budget, urgency and photos, so that tradies can decide whether the job suits them.',
          'If you are a tradie: your NZBN, business name and address, trades, contact person, phone number, description and logo, so that homeowners can see who you are and get in touch.',
          'The interest a tradie expresses in a job, with the note, so that the homeowner can choose.',
          'Whether your subscription is running and until when. Card numbers go to our payment processor and never reach us.',
        ],
        'Photos are made smaller on your device before they are sent, which also takes out the place where they were taken.',
      ],
    },
    {
      heading: 'Who sees what',
      says: [
        [
          'Active jobs are shown to tradies with a running subscription and to anybody who has the link. They do not carry your name, email or phone number.',
          'When a tradie expresses interest, the tradie’s business name, email, phone number and note go to the homeowner. Nothing goes the other way.',
          'A tradie’s public profile can be read by anybody. Its email and phone number are shown only to people who are signed in, and we count and limit how often they are opened.',
        ],
        'We do not sell your information, and we do not pass it on for advertising. We hand it over only to those who run parts of the service for us (hosting, sign-in, mail and payments), or where the law requires it.',
      ],
    },
    {
      heading: 'Where it is kept',
      says: [
        'Your data is stored on cloud infrastructure in Australia and the United States. It is encrypted in transit and at rest.',
        'So that Dwang works without signal, a copy of what you may see is also kept in the browser on your own phone or computer. Logging out removes what is yours from that device. On a shared device, please log out.',
        'Safari on an iPhone deletes such copies after a week without a visit. There two cookies note that something was kept, and whether all of it had been sent, so that we can tell you. They do not say who you are.',
      ],
    },
    {
      heading: 'How long we keep it',
      says: [
        'We keep your information for as long as you have an account, and after that only as long as the law requires, for example for tax records of payments.',
      ],
    },
    {
      heading: 'What you can ask of us',
      says: [
        'You may ask what we hold about you, ask us to correct it, and ask us to delete your account. Write to support; we resolve such requests within 3 business days.',
        'If something goes wrong with your information and is likely to cause serious harm, we will tell you and the Office of the Privacy Commissioner. If you are not happy with how we deal with a privacy question, you can complain to the Commissioner at privacy.org.nz.',
      ],
    },
  ],
};

const tradies: LegalDocument = {
  id: 'tradies',
  title: 'Terms of Use - Tradies',
  inShort:
    'A monthly subscription, 30 days’ notice to stop it, no lead fees and no commission. You run your own business and answer for your own work.',
  clauses: [
    {
      heading: 'Who may join',
      says: [
        [
          'You are 18 years or older.',
          'You have a valid New Zealand Business Number (NZBN) and may act for the business it belongs to.',
          'Where your trade needs a licence or registration, such as plumbing, gasfitting or electrical work, you hold it and keep it current. We may ask you to show it.',
        ],
        'These terms come on top of the Terms of Use for all users below.',
      ],
    },
    {
      heading: 'Subscription and payment',
      says: [
        'The subscription is $19 plus GST a month ($21.85 including GST) and gives unlimited access to jobs. It is charged each month in advance through our payment processor. A new business has 14 days free, and the first charge comes when they end; a person and a business have one such trial.',
        'If a payment fails, access to jobs may pause until it has gone through. If we change the price, we tell you at least 30 days before.',
      ],
    },
    {
      heading: 'Stopping',
      says: [
        'You may cancel at any time with 30 days’ notice, under Manage Billing in your account or by writing to support. Payments already made are not refunded.',
        'We may suspend or close an account that breaks these terms.',
      ],
    },
    {
      heading: 'Your business, your work',
      says: [
        'You are an independent contractor. Nothing here makes you our employee, agent or partner. Quotes, contracts, work, safety, tax and insurance are between you and the homeowner, and we are not a party to them.',
        'We do not promise that there will be jobs for you, or that a homeowner will choose you.',
      ],
    },
    {
      heading: 'Your profile and your notes',
      says: [
        [
          'Keep your business details true and up to date.',
          'When you express interest in a job, your contact details go to the homeowner. That is what expressing interest means.',
          'Use what you learn about a job only to offer to do that job.',
        ],
      ],
    },
    {
      heading: 'What we are answerable for',
      says: [
        'You use Dwang for the purposes of a business, so the guarantees of the Consumer Guarantees Act 1993 do not apply between you and us, and you and we agree that this is fair.',
        'As far as the law allows, the most we can owe you for everything that arises from the service is the subscription fees you paid in the three months before it arose. We do not answer for lost profit or other indirect loss.',
      ],
    },
    { heading: 'Law', says: ['The law of New Zealand applies, and the courts of New Zealand decide.'] },
  ],
};

const allUsers: LegalDocument = {
  id: 'all-users',
  title: 'Terms of Use - All Users',
  inShort: 'Be truthful, be decent, and deal with each other directly. Posting jobs is free.',
  clauses: [
    {
      heading: 'What Dwang is',
      says: [
        'Dwang connects homeowners with tradies. Posting a job is free. Whatever you agree with each other is a contract between the two of you. We check neither the work nor the people, and we are not a party to it. Ask for references, licences and a written quote.',
      ],
    },
    {
      heading: 'True information',
      says: [
        'What you tell us and each other must be accurate: who you are, the job, the place and the budget. Keep your password to yourself. What happens under your account is taken to be yours.',
      ],
    },
    {
      heading: 'Acceptable use',
      says: [
        'You agree not to:',
        [
          'break the law, or ask anybody else to;',
          'harass, threaten, deceive or discriminate against anybody;',
          'post what is not yours to post, or show people in photos who have not agreed;',
          'collect other people’s contact details for anything but the job in hand;',
          'send advertising, or load the service with automatic requests;',
          'try to get at data or accounts that are not yours.',
        ],
        'We may remove what breaks these rules and close the account it came from.',
      ],
    },
    {
      heading: 'What you post',
      says: [
        'It stays yours. You let us store it, and show it to those who need to see it, for as long as that serves the purpose you posted it for.',
      ],
    },
    {
      heading: 'The service',
      says: [
        'We work hard to keep Dwang running and your data safe, but we cannot promise that it is never interrupted. Nothing in these terms takes away rights that you have under the Consumer Guarantees Act 1993 or the Fair Trading Act 1986 as a consumer.',
        'When we change these terms we put the new date at their head, and for changes that matter we tell you by email.',
      ],
    },
    { heading: 'Law', says: ['The law of New Zealand applies, and the courts of New Zealand decide.'] },
  ],
};

export const legalDocuments: readonly LegalDocument[] = [privacy, tradies, allUsers];
