-- Workers read only as many proxies as they lease. So every Active proxy has a row, and those that may be leased are found
-- by the time from which they may: the end of the rest, or when a worker gave it back last, so that all take turns.
UPDATE proxy_states SET rest_until = now() WHERE rest_until IS NULL;
ALTER TABLE proxy_states ALTER rest_until SET DEFAULT now(), ALTER rest_until SET NOT NULL;
CREATE INDEX proxy_states_rest ON proxy_states (rest_until);
CREATE INDEX proxy_states_free ON proxy_states (rest_until) WHERE worker IS NULL;
CREATE INDEX proxy_states_beyond ON proxy_states (proxy) WHERE beyond;
