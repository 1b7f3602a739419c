-- The key of the advisory lock that serialises counted starts of an organization. Used with a first number of 1, so it
-- cannot collide with locks of one number. Two organizations with the same hash only wait for each other.
CREATE OR REPLACE FUNCTION starts_lock(p_organization uuid) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtext(p_organization::text)
$$;
