"""Queries with the SQL that a person would write for them. `:tenant` is bound."""

from __future__ import annotations

from typing import Any

OCT = {"start": "2026-10-01", "end": "2026-10-31"}
YEAR = {"start": "2026-01-01", "end": "2026-10-31"}

_OCT = "sale_date BETWEEN '2026-10-01' AND '2026-10-31'"
_SEP = "sale_date BETWEEN '2026-09-01' AND '2026-09-30'"

CASES: dict[str, tuple[dict[str, Any], str]] = {
    "one figure": (
        {
            "metrics": ["sales_amount"],
            "period": OCT,
            "filters": [{"dimension": "region", "values": ["Seoul"]}],
        },
        f"""SELECT sum(sales_amount) FROM sales JOIN hospitals USING (hospital_id)
            WHERE sales.company_id = :tenant AND region_name = '서울' AND {_OCT}""",
    ),
    "by region": (
        {"metrics": ["sales_amount", "order_count"], "dimensions": ["region"], "period": OCT},
        f"""SELECT region_name, sum(sales_amount), count(*) FROM sales JOIN hospitals USING (hospital_id)
            WHERE sales.company_id = :tenant AND {_OCT} GROUP BY 1 ORDER BY 2 DESC, 1""",
    ),
    "except, range and text": (
        {
            "metrics": ["quantity"],
            "period": YEAR,
            "filters": [
                {"dimension": "region", "op": "not_in", "values": ["서울", "부산"]},
                {"dimension": "unit_price", "op": "between", "values": [300, 900]},
                {"dimension": "hospital", "op": "contains", "values": ["대학교"]},
            ],
        },
        """SELECT sum(quantity) FROM sales JOIN hospitals h USING (hospital_id) JOIN products p USING (product_id)
           WHERE sales.company_id = :tenant AND sale_date BETWEEN '2026-01-01' AND '2026-10-31'
           AND region_name NOT IN ('서울', '부산') AND unit_price BETWEEN 300 AND 900 AND h.name LIKE '%대학교%'""",
    ),
    "large orders of public hospitals": (
        {
            "metrics": ["order_count"],
            "filters": [
                {"dimension": "sale_size", "op": ">=", "values": [500000]},
                {"dimension": "is_public", "values": ["공공"]},
            ],
        },
        """SELECT count(*) FROM sales JOIN hospitals h USING (hospital_id)
           WHERE sales.company_id = :tenant AND sales_amount >= 500000 AND is_public""",
    ),
    "two facts by region": (
        {
            "metrics": ["sales_amount", "visit_count", "expense_amount"],
            "dimensions": ["region"],
            "period": OCT,
        },
        f"""SELECT DISTINCT h.region_name,
             (SELECT coalesce(sum(sales_amount), 0) FROM sales s JOIN hospitals x USING (hospital_id)
              WHERE s.company_id = :tenant AND {_OCT} AND x.region_name = h.region_name) AS a,
             (SELECT count(*) FROM visits v JOIN hospitals x USING (hospital_id) WHERE v.company_id = :tenant
              AND visit_date BETWEEN '2026-10-01' AND '2026-10-31' AND x.region_name = h.region_name) AS b,
             (SELECT coalesce(sum(amount), 0) FROM expenses e JOIN hospitals x USING (hospital_id)
              WHERE e.company_id = :tenant AND expense_date BETWEEN '2026-10-01' AND '2026-10-31'
              AND x.region_name = h.region_name) AS c
            FROM hospitals h WHERE h.company_id = :tenant AND (a > 0 OR b > 0 OR c > 0) ORDER BY a DESC, 1""",
    ),
    "ratio over two facts": (
        {
            "metrics": ["sales_per_visit"],
            "dimensions": ["category"],
            "period": YEAR,
            "order": [{"column": "category"}],
        },
        """SELECT p.category, CAST(sum(amount) AS REAL) / (SELECT count(*) FROM visits v JOIN products q
             USING (product_id) WHERE v.company_id = :tenant AND q.category = p.category
             AND visit_date BETWEEN '2026-01-01' AND '2026-10-31')
           FROM (SELECT product_id, sum(sales_amount) AS amount FROM sales WHERE company_id = :tenant
                 AND sale_date BETWEEN '2026-01-01' AND '2026-10-31' GROUP BY 1) JOIN products p USING (product_id)
           GROUP BY 1 ORDER BY 1""",
    ),
    "achievement by region": (
        {
            "metrics": ["achievement"],
            "dimensions": ["region"],
            "period": OCT,
            "order": [{"column": "region"}],
        },
        f"""WITH t AS (SELECT region_code, sum(target_amount) AS target FROM targets JOIN sales_reps USING (rep_id)
                       WHERE targets.company_id = :tenant AND month = '2026-10-01' GROUP BY 1),
                 s AS (SELECT region_code, region_name, sum(sales_amount) AS amount FROM sales
                       JOIN hospitals USING (hospital_id) WHERE sales.company_id = :tenant AND {_OCT} GROUP BY 1, 2),
                 n AS (SELECT DISTINCT region_code, region_name FROM hospitals WHERE company_id = :tenant)
            SELECT n.region_name, coalesce(amount, 0) * 1.0 / target FROM t JOIN n USING (region_code)
            LEFT JOIN s USING (region_code) ORDER BY 1""",
    ),
    "target beside sales": (
        {
            "metrics": ["sales_amount"],
            "dimensions": ["rep"],
            "period": {"start": "2026-10-10", "end": "2026-10-31"},
            "target": True,
            "having": [{"column": "sales_amount__achievement", "op": "<", "values": [0.5]}],
        },
        """SELECT name, a, target, a * 1.0 / target FROM (
             SELECT r.rep_id, r.name, (SELECT target_amount FROM targets t WHERE t.rep_id = r.rep_id
               AND month = '2026-10-01') AS target, coalesce((SELECT sum(sales_amount) FROM sales s
               WHERE s.rep_id = r.rep_id AND sale_date BETWEEN '2026-10-10' AND '2026-10-31'), 0) AS a
             FROM sales_reps r WHERE company_id = :tenant) WHERE a * 1.0 / target < 0.5 ORDER BY a DESC, name, rep_id""",
    ),
    "compared with the month before": (
        {"metrics": ["sales_amount"], "dimensions": ["region"], "period": OCT, "comparison": "previous"},
        f"""SELECT region_name, a, b, a - b, (a - b) * 1.0 / nullif(b, 0) FROM (
              SELECT region_name, sum(CASE WHEN {_OCT} THEN sales_amount ELSE 0 END) AS a,
                     sum(CASE WHEN {_SEP} THEN sales_amount ELSE 0 END) AS b
              FROM sales JOIN hospitals USING (hospital_id) WHERE sales.company_id = :tenant
              AND sale_date BETWEEN '2026-09-01' AND '2026-10-31' GROUP BY 1) ORDER BY a DESC, 1""",
    ),
    "total against last year": (
        {"metrics": ["sales_amount"], "period": OCT, "comparison": "same_period_last_year"},
        f"""SELECT a, b, a - b, (a - b) * 1.0 / b FROM (SELECT
              (SELECT sum(sales_amount) FROM sales WHERE company_id = :tenant AND {_OCT}) AS a,
              (SELECT sum(sales_amount) FROM sales WHERE company_id = :tenant
               AND sale_date BETWEEN '2025-10-01' AND '2025-10-31') AS b)""",
    ),
    "this month so far": (
        {
            "metrics": ["order_count"],
            "period": {"start": "2026-11-01", "end": "2026-11-15", "grain": "month"},
            "comparison": "previous",
        },
        """SELECT a, b, a - b, (a - b) * 1.0 / b FROM (SELECT
             (SELECT count(*) FROM sales WHERE company_id = :tenant
              AND sale_date BETWEEN '2026-11-01' AND '2026-11-15') AS a,
             (SELECT count(*) FROM sales WHERE company_id = :tenant
              AND sale_date BETWEEN '2026-10-01' AND '2026-10-15') AS b)""",
    ),
    "months against last year": (
        {
            "metrics": ["sales_amount"],
            "dimensions": ["month"],
            "period": YEAR,
            "comparison": "same_period_last_year",
        },
        """SELECT '2026-' || m, sum(a), sum(b), sum(a) - sum(b), (sum(a) - sum(b)) * 1.0 / sum(b) FROM (
             SELECT strftime('%m', sale_date) AS m, CASE WHEN sale_date >= '2026-01-01' THEN sales_amount END AS a,
                    CASE WHEN sale_date <= '2025-10-31' THEN sales_amount END AS b
             FROM sales WHERE company_id = :tenant AND (sale_date BETWEEN '2026-01-01' AND '2026-10-31'
             OR sale_date BETWEEN '2025-01-01' AND '2025-10-31')) GROUP BY 1 ORDER BY 1""",
    ),
    "each month against the one before": (
        {"metrics": ["sales_amount"], "dimensions": ["month"], "period": YEAR, "comparison": "previous"},
        """SELECT m, a, b, a - b, (a - b) * 1.0 / b FROM (
             SELECT m, a, lag(a) OVER (ORDER BY m) AS b FROM (SELECT strftime('%Y-%m', sale_date) AS m,
               sum(sales_amount) AS a FROM sales WHERE company_id = :tenant
               AND sale_date BETWEEN '2025-12-01' AND '2026-10-31' GROUP BY 1)) WHERE m >= '2026-01' ORDER BY m""",
    ),
    "quarters": (
        {"metrics": ["sales_amount"], "dimensions": ["quarter"], "period": YEAR},
        """SELECT '2026-Q' || ((CAST(strftime('%m', sale_date) AS INTEGER) + 2) / 3), sum(sales_amount) FROM sales
           WHERE company_id = :tenant AND sale_date BETWEEN '2026-01-01' AND '2026-10-31' GROUP BY 1 ORDER BY 1""",
    ),
    "weeks start on Monday": (
        {"metrics": ["order_count"], "dimensions": ["week"], "period": OCT},
        f"""SELECT date(sale_date, '-' || ((CAST(strftime('%w', sale_date) AS INTEGER) + 6) % 7) || ' days'), count(*)
            FROM sales WHERE company_id = :tenant AND {_OCT} GROUP BY 1 ORDER BY 1""",
    ),
    "weekdays": (
        {
            "metrics": ["average_order"],
            "dimensions": ["weekday"],
            "period": YEAR,
            "order": [{"column": "weekday"}],
        },
        """SELECT CASE strftime('%w', sale_date) WHEN '0' THEN 7 ELSE CAST(strftime('%w', sale_date) AS INTEGER) END,
             avg(sales_amount) FROM sales WHERE company_id = :tenant
             AND sale_date BETWEEN '2026-01-01' AND '2026-10-31' GROUP BY 1 ORDER BY 1""",
    ),
    "top with others and share": (
        {
            "metrics": ["sales_amount"],
            "dimensions": ["product"],
            "period": OCT,
            "top": {"n": 3, "others": True},
            "share": True,
        },
        f"""WITH r AS (SELECT name, sum(sales_amount) AS a, row_number() OVER (ORDER BY sum(sales_amount) DESC) AS n
                       FROM sales JOIN products USING (product_id) WHERE sales.company_id = :tenant AND {_OCT}
                       GROUP BY product_id)
            SELECT name, a, a * 1.0 / (SELECT sum(a) FROM r) FROM (
              SELECT name, a, n FROM r WHERE n <= 3
              UNION ALL SELECT '기타', sum(a), 99 FROM r WHERE n > 3) ORDER BY n""",
    ),
    "an average of the others is of their rows": (
        {
            "metrics": ["average_order"],
            "dimensions": ["region"],
            "period": YEAR,
            "top": {"n": 2, "others": True},
        },
        """WITH f AS (SELECT region_name AS r, sales_amount AS x FROM sales JOIN hospitals USING (hospital_id)
                      WHERE sales.company_id = :tenant AND sale_date BETWEEN '2026-01-01' AND '2026-10-31'),
                t AS (SELECT r, avg(x) AS a FROM f GROUP BY 1 ORDER BY 2 DESC LIMIT 2)
           SELECT r, a FROM (SELECT r, a, 0 AS o FROM t
             UNION ALL SELECT '기타', avg(x), 1 FROM f WHERE r NOT IN (SELECT r FROM t)) ORDER BY o, a DESC""",
    ),
    "bottom three": (
        {
            "metrics": ["sales_amount"],
            "dimensions": ["region"],
            "period": YEAR,
            "top": {"n": 3, "direction": "bottom"},
        },
        """SELECT region_name, sum(sales_amount) FROM sales JOIN hospitals USING (hospital_id)
           WHERE sales.company_id = :tenant AND sale_date BETWEEN '2026-01-01' AND '2026-10-31'
           GROUP BY 1 ORDER BY 2 LIMIT 3""",
    ),
    "best product of each region": (
        {
            "metrics": ["sales_amount"],
            "dimensions": ["region", "product"],
            "period": YEAR,
            "top": {"n": 2, "within": ["region"]},
        },
        """SELECT r, p, a FROM (SELECT region_name AS r, p.name AS p, sum(sales_amount) AS a, row_number() OVER
             (PARTITION BY region_name ORDER BY sum(sales_amount) DESC, p.name) AS n
             FROM sales s JOIN hospitals h USING (hospital_id) JOIN products p USING (product_id)
             WHERE s.company_id = :tenant AND sale_date BETWEEN '2026-01-01' AND '2026-10-31'
             GROUP BY region_name, p.product_id) WHERE n <= 2 ORDER BY r, a DESC""",
    ),
    "the top two over time": (
        {
            "metrics": ["sales_amount"],
            "dimensions": ["month", "hospital"],
            "period": YEAR,
            "top": {"n": 2},
            "order": [{"column": "month"}, {"column": "hospital"}],
        },
        """SELECT strftime('%Y-%m', sale_date), name, sum(sales_amount) FROM sales JOIN hospitals USING (hospital_id)
           WHERE sales.company_id = :tenant AND sale_date BETWEEN '2026-01-01' AND '2026-10-31'
           AND hospital_id IN (SELECT hospital_id FROM sales WHERE company_id = :tenant
             AND sale_date BETWEEN '2026-01-01' AND '2026-10-31' GROUP BY 1 ORDER BY sum(sales_amount) DESC LIMIT 2)
           GROUP BY 1, hospital_id ORDER BY 1, 2""",
    ),
    "share within a month": (
        {
            "metrics": ["sales_amount"],
            "dimensions": ["month", "category"],
            "period": YEAR,
            "share": True,
            "share_within": ["month"],
            "order": [{"column": "month"}, {"column": "category"}],
        },
        """SELECT m, c, a, a * 1.0 / sum(a) OVER (PARTITION BY m) FROM (SELECT strftime('%Y-%m', sale_date) AS m,
             category AS c, sum(sales_amount) AS a FROM sales JOIN products USING (product_id)
             WHERE sales.company_id = :tenant AND sale_date BETWEEN '2026-01-01' AND '2026-10-31' GROUP BY 1, 2)
           ORDER BY 1, 2""",
    ),
    "running total and moving average": (
        {
            "metrics": ["sales_amount"],
            "dimensions": ["month"],
            "period": YEAR,
            "running_total": True,
            "moving_average": 3,
        },
        """SELECT m, a, sum(a) OVER (ORDER BY m), avg(a) OVER (ORDER BY m ROWS 2 PRECEDING) FROM (
             SELECT strftime('%Y-%m', sale_date) AS m, sum(sales_amount) AS a FROM sales
             WHERE company_id = :tenant AND sale_date BETWEEN '2026-01-01' AND '2026-10-31' GROUP BY 1) ORDER BY m""",
    ),
    "days without a sale count in a moving average": (
        {
            "metrics": ["order_count"],
            "dimensions": ["day"],
            "period": OCT,
            "moving_average": 7,
            "filters": [{"dimension": "region", "values": ["세종"]}],
        },
        """WITH RECURSIVE d(day) AS (SELECT '2026-10-01' UNION ALL SELECT date(day, '+1 day') FROM d
                                     WHERE day < '2026-10-31'),
             c AS (SELECT day, (SELECT count(*) FROM sales JOIN hospitals USING (hospital_id)
                   WHERE sales.company_id = :tenant AND region_name = '세종' AND sale_date = day) AS n FROM d),
             s AS (SELECT * FROM c WHERE day BETWEEN (SELECT min(day) FROM c WHERE n > 0)
                   AND (SELECT max(day) FROM c WHERE n > 0))
           SELECT day, n, avg(n) OVER (ORDER BY day ROWS 6 PRECEDING) FROM s ORDER BY day""",
    ),
    "regions month by month without gaps": (
        {
            "metrics": ["seminar_count"],
            "dimensions": ["region", "month"],
            "period": YEAR,
            "running_total": True,
            "order": [{"column": "region"}, {"column": "month"}],
        },
        """WITH RECURSIVE d(day) AS (SELECT '2026-01-01' UNION ALL SELECT date(day, '+1 month') FROM d
                                     WHERE day < '2026-10-01'),
             f AS (SELECT region_name AS r, strftime('%Y-%m', held_on) AS m FROM seminars
                   JOIN hospitals USING (hospital_id) WHERE seminars.company_id = :tenant
                   AND held_on BETWEEN '2026-01-01' AND '2026-10-31'),
             g AS (SELECT r, strftime('%Y-%m', day) AS m FROM d, (SELECT DISTINCT r FROM f)),
             h AS (SELECT g.r, g.m, count(f.r) AS n FROM g LEFT JOIN f ON f.r = g.r AND f.m = g.m
                   WHERE g.m BETWEEN (SELECT min(m) FROM f) AND (SELECT max(m) FROM f) GROUP BY 1, 2)
           SELECT r, m, n, sum(n) OVER (PARTITION BY r ORDER BY m) FROM h ORDER BY 1, 2""",
    ),
    "having": (
        {
            "metrics": ["sales_amount", "visit_count"],
            "dimensions": ["hospital"],
            "period": YEAR,
            "having": [
                {"column": "sales_amount", "op": ">=", "values": [1_000_000]},
                {"column": "visit_count", "op": "between", "values": [1, 60]},
            ],
        },
        """SELECT name, a, b FROM (SELECT h.hospital_id AS i, h.name,
             coalesce((SELECT sum(sales_amount) FROM sales s WHERE s.hospital_id = h.hospital_id
                       AND sale_date BETWEEN '2026-01-01' AND '2026-10-31'), 0) AS a,
             (SELECT count(*) FROM visits v WHERE v.hospital_id = h.hospital_id
              AND visit_date BETWEEN '2026-01-01' AND '2026-10-31') AS b
           FROM hospitals h WHERE company_id = :tenant) WHERE a >= 1000000 AND b BETWEEN 1 AND 60
           ORDER BY a DESC, name, i""",
    ),
    "hospitals that nobody visited": (
        {
            "metrics": ["hospital_count", "visit_count"],
            "dimensions": ["hospital"],
            "period": {"start": "2026-10-26", "end": "2026-11-01"},
            "having": [{"column": "visit_count", "op": "=", "values": [0]}],
            "order": [{"column": "hospital"}],
        },
        """SELECT name, 1, 0 FROM hospitals h WHERE company_id = :tenant AND NOT EXISTS (SELECT 1 FROM visits v
             WHERE v.hospital_id = h.hospital_id AND visit_date BETWEEN '2026-10-26' AND '2026-11-01') ORDER BY 1""",
    ),
    "a metric with its own condition": (
        {"metrics": ["meal_amount", "expense_amount"], "dimensions": ["team"], "period": OCT},
        """SELECT team, sum(CASE WHEN category = 'meal' THEN amount END), sum(amount) FROM expenses
           JOIN sales_reps USING (rep_id) WHERE expenses.company_id = :tenant
           AND expense_date BETWEEN '2026-10-01' AND '2026-10-31' GROUP BY 1 ORDER BY 2 IS NULL, 2 DESC, 1""",
    ),
    "distinct things": (
        {"metrics": ["buying_hospitals", "sales_per_hospital"], "dimensions": ["category"], "period": OCT},
        f"""SELECT category, count(DISTINCT hospital_id), sum(sales_amount) * 1.0 / count(DISTINCT hospital_id)
            FROM sales JOIN products USING (product_id) WHERE sales.company_id = :tenant AND {_OCT}
            GROUP BY 1 ORDER BY 2 DESC, 1""",
    ),
    "yes and no": (
        {"metrics": ["hospital_count"], "dimensions": ["is_public"]},
        """SELECT CASE WHEN is_public THEN 'true' ELSE 'false' END, count(*) FROM hospitals
           WHERE company_id = :tenant GROUP BY 1 ORDER BY 2 DESC""",
    ),
    "a list": (
        {"dimensions": ["category"], "filters": [{"dimension": "unit_price", "op": ">", "values": [5000]}]},
        """SELECT DISTINCT category FROM products WHERE company_id = :tenant AND unit_price > 5000 ORDER BY 1""",
    ),
    "new products": (
        {
            "dimensions": ["product"],
            "filters": [{"dimension": "launched_on", "op": ">=", "values": ["2026-01-01"]}],
        },
        "SELECT name FROM products WHERE company_id = :tenant AND launched_on >= '2026-01-01'",
    ),
    "expenses of visits by their purpose": (
        {"metrics": ["expense_count"], "dimensions": ["purpose"], "period": YEAR},
        """SELECT purpose, count(*) FROM expenses LEFT JOIN visits USING (visit_id) WHERE expenses.company_id = :tenant
           AND expense_date BETWEEN '2026-01-01' AND '2026-10-31' GROUP BY 1 ORDER BY 2 DESC""",
    ),
    "every kind of condition": (
        {
            "metrics": ["order_count"],
            "filters": [
                {"dimension": "hospital", "op": "not_contains", "values": ["요양"]},
                {"dimension": "team", "op": "starts_with", "values": ["경"]},
                {"dimension": "unit_price", "op": "<", "values": [5000]},
                {"dimension": "sale_size", "op": ">", "values": [1000]},
                {"dimension": "launched_on", "op": "<=", "values": ["2020-12-31"]},
                {"dimension": "launched_on", "op": ">", "values": ["2010-01-01"]},
                {"dimension": "launched_on", "op": "between", "values": ["2010-02-01", "2020-06-01"]},
                {"dimension": "category", "op": "not_null"},
                {"dimension": "weekday", "op": "<=", "values": ["5"]},
            ],
        },
        """SELECT count(*) FROM sales s JOIN hospitals h USING (hospital_id) JOIN products p USING (product_id)
           JOIN sales_reps r USING (rep_id) WHERE s.company_id = :tenant AND h.name NOT LIKE '%요양%'
           AND r.team LIKE '경%' AND unit_price < 5000 AND sales_amount > 1000 AND launched_on <= '2020-12-31'
           AND launched_on > '2010-01-01' AND launched_on BETWEEN '2010-02-01' AND '2020-06-01'
           AND strftime('%w', sale_date) BETWEEN '1' AND '5'""",
    ),
    "expenses without a visit": (
        {
            "metrics": ["expense_amount", "largest_expense"],
            "filters": [{"dimension": "purpose", "op": "is_null"}],
        },
        "SELECT sum(amount), max(amount) FROM expenses WHERE company_id = :tenant AND visit_id IS NULL",
    ),
    "days against the same days last year": (
        {
            "metrics": ["order_count"],
            "dimensions": ["day"],
            "period": {"start": "2026-10-05", "end": "2026-10-06"},
            "comparison": "same_period_last_year",
        },
        """SELECT d, a, b, a - b, (a - b) * 1.0 / nullif(b, 0) FROM (SELECT d,
             (SELECT count(*) FROM sales WHERE company_id = :tenant AND sale_date = d) AS a,
             (SELECT count(*) FROM sales WHERE company_id = :tenant AND sale_date = date(d, '-1 year')) AS b
           FROM (SELECT '2026-10-05' AS d UNION SELECT '2026-10-06')) ORDER BY d""",
    ),
    "weeks against the weeks of last year": (
        {
            "metrics": ["order_count"],
            "dimensions": ["week"],
            "period": {"start": "2026-10-05", "end": "2026-10-18"},
            "comparison": "same_period_last_year",
        },
        """SELECT d, a, b, a - b, (a - b) * 1.0 / nullif(b, 0) FROM (SELECT d,
             (SELECT count(*) FROM sales WHERE company_id = :tenant AND sale_date BETWEEN d AND date(d, '+6 days')) AS a,
             (SELECT count(*) FROM sales WHERE company_id = :tenant
              AND sale_date BETWEEN date(d, '-364 days') AND date(d, '-358 days')) AS b
           FROM (SELECT '2026-10-05' AS d UNION SELECT '2026-10-12')) ORDER BY d""",
    ),
}
