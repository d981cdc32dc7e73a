import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { DockerfileParser, type Copy, type From, type Instruction } from 'dockerfile-ast';
import { root } from './installed.mjs';

export const dockerfileText = readFileSync(join(root, 'Dockerfile'), 'utf8');

export interface Stage {
  image: string;
  name: string | undefined;
  /** The steps without its FROM. */
  steps: Instruction[];
}

/** The stages of a Dockerfile, the one that is shipped last. */
export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const step of DockerfileParser.parse(text).getInstructions()) {
    if (step.getKeyword() === 'FROM')
      stages.push({
        image: (step as From).getImage() ?? '',
        name: (step as From).getBuildStage() ?? undefined,
        steps: [],
      });
    else stages.at(-1)?.steps.push(step);
  }
  return stages;
}

export interface CopyStep {
  /** The stage that the files come from; undefined: the build context. */
  stage: string | undefined;
  sources: string[];
  target: string;
}

export function copiesOf(stage: Stage): CopyStep[] {
  return stage.steps
    .filter((step) => step.getKeyword() === 'COPY')
    .map((step) => {
      const paths = step.getArguments().map((argument) => argument.getValue());
      const from =
        (step as Copy)
          .getFlags()
          .find((flag) => flag.getName() === 'from')
          ?.getValue() ?? undefined;
      return { stage: from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
    });
}

/**
 * Says whether a path of the build context is left out of it, by the rules of `.dockerignore`: the last one that
 * matches decides.
 */
export function readDockerignore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return (path) => {
    const parents = path.split('/').map((_, depth, all) => all.slice(0, depth + 1).join('/'));
    let ignored = false;
    for (const rule of rules) {
      const back = rule.startsWith('!');
      const glob = back ? rule.slice(1) : rule;
      if (parents.some((one) => matchesGlob(one, glob))) ignored = !back;
    }
    return ignored;
  };
}
