-- Every call reads its user, so nobody listens to changed users.
DROP TRIGGER tell_changed ON users;
DROP FUNCTION tell_changed_user();
