-- An event by its id, whose month is not known.
CREATE INDEX audit_events_by_id ON audit_events (organization_id, id);
