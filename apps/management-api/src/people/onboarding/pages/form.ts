import { inOnePiece } from '@legate/service';
import express, { type RequestHandler } from 'express';
import { browserOf } from './browser.ts';
import { anotherSignIn, notAForm, otherSite } from './faults.ts';

const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 32 * 1024;

/**
 * `Origin` is no help here: it is `null` under our own referrer policy. For browsers without this header the cookie
 * protects.
 */
const refuseOtherSites: RequestHandler = (req, _res, next) => {
  const site = req.get('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw otherSite();
  next();
};

const requireForm: RequestHandler = (req, _res, next) => {
  if (!req.is(FORM)) throw notAForm();
  next();
};

/** Reads the form of one of our own pages. */
export const readForm: readonly RequestHandler[] = [
  refuseOtherSites,
  requireForm,
  inOnePiece(MAX_FORM_BYTES, express.urlencoded({ extended: false, limit: MAX_FORM_BYTES })),
];

/**
 * Refuses a form of another sign-in in this browser, perhaps of another user, which must not be sent in the name of
 * this one. Mounted after the browser is recognized.
 */
export const refuseOldForms: RequestHandler = (req, res, next) => {
  const { session } = req.body;
  if (typeof session === 'string' && session !== browserOf(res).sessionId) throw anotherSignIn();
  next();
};
