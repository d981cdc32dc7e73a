import { configure } from '@testing-library/dom';

// A screen appears when it appears: a busy machine must not turn "not yet" into "not at all".
configure({ asyncUtilTimeout: 30_000 });
