export { type Handler, sendJson, startServer, type TestServer } from '@legate/service/testing';
