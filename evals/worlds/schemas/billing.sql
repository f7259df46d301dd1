CREATE TABLE "plan" (plan_id INTEGER PRIMARY KEY, "name" TEXT, tier TEXT, monthly_price_cents INTEGER);
CREATE TABLE accounts (account_uuid TEXT PRIMARY KEY, company_name TEXT, country TEXT, industry TEXT, billing_email TEXT, created_at TEXT, deleted_at TEXT);
CREATE TABLE "user" (id INTEGER PRIMARY KEY, account_uuid TEXT REFERENCES accounts(account_uuid), full_name TEXT, login TEXT, role TEXT, last_seen INTEGER, is_active INTEGER);
CREATE TABLE subscriptions (sub_id INTEGER PRIMARY KEY, account_uuid TEXT REFERENCES accounts(account_uuid), plan_id INTEGER REFERENCES "plan"(plan_id), started_on TEXT, cancelled_on TEXT, seats INTEGER, status TEXT);
CREATE TABLE invoices (invoice_no TEXT PRIMARY KEY, sub_id INTEGER REFERENCES subscriptions(sub_id), issued_at TEXT, due_at TEXT, paid_at TEXT, subtotal REAL, tax REAL, total REAL, state TEXT);
CREATE TABLE "Usage Events" (event_id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES "user"(id), occurred_ms INTEGER, kind TEXT, api_calls INTEGER);
CREATE TABLE support_tickets (ticket_id INTEGER PRIMARY KEY, account_uuid TEXT REFERENCES accounts(account_uuid), opened_at TEXT, closed_at TEXT, priority TEXT, csat INTEGER);
CREATE TABLE schema_migrations (version TEXT);
CREATE VIEW paid_invoices AS SELECT invoice_no, sub_id, issued_at, paid_at, total FROM invoices WHERE state = 'paid';
