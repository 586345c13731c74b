-- An import took 4 s of PostgreSQL a million rows to keep it. Ends of serials are searched for by a scan.
DROP INDEX serials_end;
