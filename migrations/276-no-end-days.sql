-- Home counts the ends of coverage of devices (device_counts) instead of those of tickets.
DROP TABLE ticket_end_days;
