-- Searches over all companies read devices by the beginning of their serial, searches by the end read it backwards.
CREATE INDEX devices_serial ON devices (serial);
CREATE INDEX devices_serial_end ON devices (reverse(serial));
