-- Counts the rows that were there before the triggers of 0003. It locks no table: requests change rows meanwhile.
SET LOCAL lock_timeout = '300ms';
SELECT correct_resource_counts();
