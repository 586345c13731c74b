-- Which state of a ticket's terms (expected count, discount, dollar rate) somebody has seen: grows with every change of
-- them, so that a change of what another has changed meanwhile is noticed.
ALTER TABLE tickets ADD COLUMN version integer NOT NULL DEFAULT 1;
