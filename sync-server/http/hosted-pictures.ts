import Router from '@koa/router';
import { publicFiles } from '../../shared/lib/file-ref.ts';

/**
 * `GET /storage/v1/object/public/{bucket}/{path}` -> 302 to the same picture of a hosted project. The app requests
 * pictures from its own origin; rows store paths without a host.
 */
export function hostedPictures(url: string): Router {
  const router = new Router();
  router.get(/^\/storage\/v1\/object\/public\/(job-photos|tradie-logos)\/.+$/, (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=86400');
    ctx.redirect(`${url}${publicFiles}${ctx.path.slice(publicFiles.length)}`);
  });
  return router;
}
