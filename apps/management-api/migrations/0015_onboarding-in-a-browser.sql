-- SHA-256 of the secret in the cookie of the browser that signed in here; null where an application's own pages go on.
ALTER TABLE onboarding_sessions ADD COLUMN browser_hash bytea CHECK (octet_length(browser_hash) = 32);
