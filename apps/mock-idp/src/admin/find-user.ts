import { notFound } from '@legate/service';
import type { Directory } from '../directory/directory.ts';
import type { User } from '../directory/model.ts';

/** @throws {Problem} 404 */
export async function findUser(directory: Directory, idOrEmail: string): Promise<User> {
  const user = await directory.findUser(idOrEmail);
  if (!user) throw notFound('No such user.');
  return user;
}
