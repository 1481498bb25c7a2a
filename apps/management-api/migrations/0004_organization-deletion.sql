-- A deleted organization is suspended at once; what is left of it may be purged from this time on.
ALTER TABLE organizations ADD COLUMN purge_at timestamptz(3);
