-- A transaction that takes 50 ms whatever the machine: two clients do 40 of them a second and no more.
SELECT pg_sleep(0.05);
