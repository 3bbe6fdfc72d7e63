-- One index, not two, on what every job leaves behind: whoever looks for an outcome knows its lane.
alter table {schema}.done drop constraint done_pkey;
drop index {schema}.done_lane;
alter table {schema}.done add primary key (lane, id, shelf);
