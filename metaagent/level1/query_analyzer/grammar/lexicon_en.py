# ruff: noqa: E501 - a pattern is read in one piece
"""English words that are nobody's data: operators with their meaning and words that change no figure."""

from __future__ import annotations

from typing import Any

from metaagent.level1.query_analyzer.grammar.meaning import EVERY, SAME_DAYS, Rank
from metaagent.level1.query_analyzer.grammar.word_choice_pattern import Choice

Operator = tuple[str, str, dict[str, Any]]

_DAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_WHEN = r"(?:last|this) (?:month|quarter|year)(?:'s|’s)?|(?:january|february|march|april|may|june|july|august|september|october|november|december|q[1-4])(?:'s|’s)?(?: 20\d\d)?"
_THAN_THEN = r"(?=(?: [a-z]+)? (?:in|during) [a-z0-9 ]{2,16} than (?:in|during|last|the)(?![a-z]))"
"""Two periods that are compared: bought less in October than in September."""
_TARGET = rf"(?= (?:(?:their|the|its|our|his|her|own|monthly|sales|quarterly|annual|{_WHEN}) ){{0,4}}(?:targets?|quotas?|goals?))"

_NOT_OF_WHAT_IT_HAS = "".join(f"(?<!{verb} )(?<!{verb} the )" for verb in ("have", "has", "had", "with"))
"""The word active in "the most active contracts": it says which contracts, and not how busy anything is."""

_THEM = r"it|they|these|those|each(?: of (?:them|these|those)| one)?"

ADJECTIVES = (
    (r"most expensive|priciest|dearest|costliest", "가격 단가 price", True), (r"cheapest|least expensive", "가격 단가 price", False),
    (r"longest", "길이 시간 기간 length duration milliseconds", True), (r"shortest", "길이 시간 기간 length duration milliseconds", False),
    (r"heaviest", "무게 체중 weight", True), (r"lightest", "무게 체중 weight", False),
    (r"thickest", "쪽수 페이지 pages", True), (r"thinnest", "쪽수 페이지 pages", False),
    (r"oldest", "나이 연령 age", True), (r"youngest", "나이 연령 age", False),
    (r"widest", "면적 크기 area size", True), (r"narrowest", "면적 크기 area size", False),
)  # fmt: skip
"""Adjectives that name a column by themselves."""

OPERATORS: tuple[Operator, ...] = (
    (r"min\.?|at least|no less than|at or above|upwards? of|not less than|no fewer than|not fewer than|a minimum of|minimum of|>=|≥", "CMP", {"op": ">="}),
    (r"at most|no more than|not more than|up to|a maximum of|maximum of|not exceeding|<=|≤", "CMP", {"op": "<="}),
    (r"more than|more expensive than|pricier than|greater than|higher than|larger than|bigger than|longer than|in excess of|north of|over|above|exceeding|exceeds?|exceeded|topped|(?:got|went|gone|moved) (?:past|beyond|over|above)|passed|past|crossed|cleared|surpass(?:ed|ing)?|beyond|worth more than|>", "CMP", {"op": ">"}),
    (r"(?:fell|falls?|falling|came) short of|short of|less than|cheaper than|less expensive than|fewer than|lower than|smaller than|shorter than|under|below|<", "CMP", {"op": "<"}),
    (r"exactly|equal to|equals", "CMP", {"op": "="}),
    (r"or more|or above|or higher|or longer|and above|and over|\+", "CMPR", {"op": ">="}),
    (r"or less|or fewer|or below|or lower|or under|and below", "CMPR", {"op": "<="}),
    (r"between", "RANGE", {}),
    (r"(?:in )?both(?= [a-z0-9' ]{1,30} and )", "BOTHP", {}),
    (r"to|-|–|~", "UPTO", {}),
    (rf"(?:the )?(?:highest|largest|biggest|best|greatest|strongest|busiest|leading|fastest)(?:[- ]performing|[- ]selling)|(?:the )?(?:highest|largest|biggest|best|greatest|strongest|busiest|leading)|{_NOT_OF_WHAT_IT_HAS}(?:the )?most (?:common|frequent|popular|frequently used|busy|active|productive|successful)|top(?:[- ]performing|[- ]selling)?|number one|maximum", "SUP", {"rank": Rank()}),
    (r"(?<!grew )(?<!growing )(?<!grow )(?:the )?slowest(?= (?:for|day|week|month|quarter|weekday|region|team)(?![a-z]))", "SUP", {"rank": Rank(descending=False)}),
    (r"(?:the )?(?:number one|no\.? ?1|#1)", "SUP", {"rank": Rank(), "cost": -1.0}),
    (r"leads?|(?:comes?|came|ranks?|ranked|finish(?:ed|es)) first|(?:is|was|comes?|came) (?:out )?on top|(?:is|was) (?:at the top|in (?:the lead|first place)|first|ahead)(?=\W*\Z)", "SUP", {"rank": Rank(), "cost": -0.5}),
    (r"(?:is|was|were|comes?|came|ranks?|ranked|finish(?:ed|es)) (?:dead )?last(?=\W*\Z)|(?:is|was|'s|’s) (?:(?:dead )?last|at the bottom|in last place|trailing|lagging)(?=\W*\Z)|(?:is|was|are) (?:trailing|lagging)(?: behind)?(?=\W*\Z)", "SUP", {"rank": Rank(descending=False), "cost": -0.5}),
    (r"(?:the )?most", "SUPQ", {"rank": Rank()}),
    (rf"(?:the )?(?:lowest|smallest|worst|weakest|poorest|slowest|quietest|least)(?:[- ]performing|[- ]selling)|(?:the )?(?:lowest|smallest|worst|weakest|poorest|quietest)|{_NOT_OF_WHAT_IT_HAS}(?:the )?least (?:common|frequent|popular|busy|active|productive|successful)|bottom|minimum", "SUP", {"rank": Rank(descending=False)}),
    (r"(?:the )?(?:fewest|least)", "SUPQ", {"rank": Rank(descending=False)}),
    *((rf"(?:the )?(?:{words})", "ADJ", {"unit": unit, "rank": Rank(descending=down)}) for words, unit, down in ADJECTIVES),
    (r"high|large|big|(?:high(?:er)?|better|well|strong(?:er)?)[- ](?:performing|selling)|(?:busy|busier|strong|stronger)(?= [a-z])|more (?:busy|active|productive|successful)", "SUP", {"rank": Rank(n=0)}),
    (r"low|small|(?:low(?:er)?|worse|weak(?:er)?|poor(?:er|ly)?|slow(?:er)?|under|less)[- ]?(?:performing|selling)|(?:quiet|quieter|weak|weaker|poor|poorer)(?= [a-z])|(?:less|not (?:so|very|that)) (?:busy|active|productive|successful|strong)", "SUP", {"rank": Rank(descending=False, n=0)}),
    (r"(?:sort|order|rank)(?:ed)?(?: it| them| that| this)?,?(?: in)? descending(?: order)?|rank(?:ed|ing|ings)?|sort(?:ed)?|order(?:ed)? (?=by)|in descending order|(?:(?:sort|order|rank)(?:ed)?(?: it| them| that| this)?,? )?from (?:highest|largest|most|best|biggest|high|large|big|top) to (?:lowest|smallest|least|worst|fewest|low|small|bottom)|descending|leaderboard", "ORDER", {"rank": Rank(n=EVERY)}),
    (r"(?:sort|order|rank)(?:ed)?(?: it| them| that| this)?,?(?: in)? ascending(?: order)?|in ascending order|(?:(?:sort|order|rank)(?:ed)?(?: it| them| that| this)?,? )?from (?:lowest|smallest|least|worst|fewest|low|small|bottom) to (?:highest|largest|most|best|biggest|high|large|big|top)|ascending", "ORDER", {"rank": Rank(descending=False, n=EVERY)}),
    (r"(?:sort|order|rank|put|list|arrange)(?:ed)?(?: it| them| that| this| those)?,? (?:from |with )?(?:the )?(?:low|small|least|few|worst|bottom)(?:est)? (?:to (?:the )?(?:high|large|big|most|great|best|top)(?:est)?|first|(?:at|on) (?:the )?top|up)|(?:sort|order|rank|arrange)(?: it| them| that| this| those)?,? from (?:the )?(?:lowest|smallest|worst|fewest)", "ORDER", {"rank": Rank(descending=False, n=EVERY), "cost": -0.3}),
    (r"(?:sort|order|rank|put|list|arrange)(?:ed)?(?: it| them| that| this| those)?,? (?:from |with )?(?:the )?(?:high|large|big|most|great|best|top)(?:est)? (?:to (?:the )?(?:low|small|least|few|worst|bottom)(?:est)?|first|(?:at|on) (?:the )?top|down)|(?:sort|order|rank|arrange)(?: it| them| that| this| those)?,? from (?:the )?(?:highest|largest|biggest|best)", "ORDER", {"rank": Rank(n=EVERY), "cost": -0.3}),
    (r"(?:(?<=[a-z])-|(?<=[a-z] ))wise", "WISE", {}),
    (r"each|every", "EVERYD", {}),
    (r"for each|for every", "FOREACH", {}),
    (r"by|for all|across|broken down by|split by|split up by|grouped by|separated by|in each|in every|per each|of each", "BY", {}),
    (r"per|divided by (?:the )?(?:number|count) of", "PER", {}),
    (r"(?:add|sum|total) (?:them|those|these|both|the two)(?: all)?(?: up| together)?", "TOTAL", {}),
    (r"single|individual|one[- ]off", "ONEROW", {"cost": -0.7}),
    *((rf"(?<=how many ){unit}s(?= (?:in|of|during|did|do|had|have|were|was|with|where|on which|when|this|last|saw))", "T", {"dim": unit}) for unit in ("day", "week", "month", "quarter")),
    *((rf"(?<=which ){unit}s", "T", {"dim": unit}) for unit in ("day", "week", "month", "quarter", "year")),
    (r"on (?:which|what) (?:day|date)", "T", {"dim": "day", "cost": 0.4}),
    (r"(?:the )?dates?|when (?:were|was|did|are|is|do) (?:they|it|these|those|each(?: of them)?)(?: (?:planned|scheduled|due|take place|happen))?", "T", {"dim": "day", "cost": 0.4, "flags": frozenset({"dated"})}),
    (rf"(?<=and )when(?=\W*\Z)|when (?:were|was|are|is) (?:{_THEM}) (?:supposed to (?:be|take place|happen|run)|meant to (?:be|take place|happen|run)|originally planned|held|set|booked)", "T", {"dim": "day", "cost": 0.4, "flags": frozenset({"dated"})}),
    (rf"(?:for )?how much (?:(?:does|do|did|is|are|was|were) )?(?:{_THEM}|(?:one|a|each|per) (?:unit|piece|box|pack)|one)(?: each)?(?: (?:costs?|sells? for|goes? for|priced at))?|what (?:(?:does|do|did) )?(?:{_THEM}|(?:one|a|each) (?:unit|piece|box|pack)) costs?|at what price", "PRICEOF", {}),
    (r"per head|per person|per capita|a head|each person", "PERHEAD", {}),
    (r"one|a single", "ONE", {}),
    (r"an?(?= [a-z]+ (?:buys?|sells?|makes?|spends?|visits?|gets?|brings?|orders?|places?|generates?|sees?|earns?|receives?|needs?)(?![a-z]))", "ONE", {}),
    (r"an average|the average|a typical", "ONE", {"average": True}),
    (r"in an? (?:average|typical) month|(?:average|avg\.?|mean) monthly|monthly (?:average|avg)|on (?:average|avg\.?|mean) (?:per|each|every|a) month|(?:average|avg\.?|mean) (?:per|each|a) month|per month on average|a month on average|each month on average", "PERD", {"per": "month"}),
    (r"on an? (?:average|typical) day|(?:average|avg\.?|mean) daily|daily (?:average|avg)|on (?:average|avg\.?|mean) (?:per|each|every|a) day|(?:average|avg\.?|mean) (?:per|each|a) day|per day on average|a day on average|per day|a day|each day on average", "PERD", {"per": "day"}),
    (r"in an? (?:average|typical) week|(?:average|avg\.?|mean) weekly|weekly (?:average|avg)|on (?:average|avg\.?|mean) (?:per|each|every|a) week|(?:average|avg\.?|mean) (?:per|each|a) week|per week on average|a week on average", "PERD", {"per": "week"}),
    (r"(?:average|avg\.?|mean) quarterly|quarterly average|(?:average|avg\.?|mean) (?:per|each|a) quarter|per quarter on average", "PERD", {"per": "quarter"}),
    (r"(?:average|avg\.?|mean) (?:yearly|annual)|(?:yearly|annual) average|(?:average|avg\.?|mean) (?:per|each|a) year|per year on average", "PERD", {"per": "year"}),
    (r"(?:average )?(?:per|each|a|every) (?:working|business) day(?: on average)?|working[- ]day average", "PERD", {"per": "working_day"}),
    (r"per weekday|(?:on )?an? (?:average|typical|normal|usual|regular) weekday", "PERD", {"per": "weekday_day"}),
    (r"per weekend day|(?:on )?an? (?:average|typical|normal|usual|regular) (?:weekend day|weekend)", "PERD", {"per": "weekend_day"}),
    (r"(?:on )?an? (?:average|typical|normal|usual|regular) (?:working|business) day", "PERD", {"per": "working_day"}),
    (r"month by month", "G", {"groups": ("month",)}),
    *((rf"(?:(?:each|every)(?: single)? {unit}|{unit} (?:after|over|on) {unit}|{unit}-over-{unit})", "STEADY", {"groups": (unit,), "cost": 0.3}) for unit in ("week", "month", "quarter")),
    (r"(?:each|every)(?: single)? year|year after year", "STEADY", {"groups": ("year",), "cost": 0.3}),
    (r"steadily|consistently|continuously|without (?:a )?(?:break|interruption)", "STEADY", {"groups": ("month",)}),
    *((rf"(?:{n}|{word}) (?:(?:consecutive|straight|successive) {unit}s|{unit}s (?:in a row|running|straight))", "STEADY", {"groups": (unit,), "numbers": (float(n),)}) for n, word in enumerate(("two", "three", "four", "five", "six"), 2) for unit in ("month", "quarter")),
    (r"day by day", "G", {"groups": ("day",)}),
    (r"week by week", "G", {"groups": ("week",)}),
    (r"per month|a month|each month|every month|monthly", "PERT", {"per": "month"}),
    (r"per week|a week", "PERT", {"per": "week"}),
    (r"per quarter|a quarter", "PERT", {"per": "quarter"}),
    (r"per year|a year", "PERT", {"per": "year"}),
    (r"(?:the )?(?:average|mean|avg)(?: of)?|on average", "AVG", {"average": True}),
    (r"(?:the )?typical|typically|usually|normally|generally", "AVG", {"average": True, "cost": 0.3}),
    (r"(?:the )?(?:length|duration) of(?= )", "LONG", {"unit": "분", "cost": 0.3}),
    (r"(?:the )?(?:average|mean|avg) (?:value|size|amount|price) of (?:an?|one|each|every|our|the)", "AVGOF", {}),
    (r"(?:and|with|along with|together with) (?:their|its)(?: own)?", "THEIR", {"cost": -0.6}),
    (r"(?:and|with|plus|along with|together with) (?:the |their |its |each one'?s |each )(?:respective )?(?:shares?|percentages?)(?: of (?:the |our )?(?:total|whole|each))?(?: each)?", "ESHARE", {}),
    (r"(?:worst|lowest|smallest|least|fewest|shortest|weakest|cheapest)(?: paid| earning| selling| rated| priced)? first|from (?:the )?(?:smallest|lowest|bottom|worst)(?: up)?", "ORDER", {"rank": Rank(descending=False, n=EVERY)}),
    (r"(?:best|highest|largest|biggest|most|longest|strongest|greatest)(?: paid| earning| selling| rated| priced)? first|from (?:the )?(?:biggest|largest|highest|top|best)(?: down)?", "ORDER", {"rank": Rank(n=EVERY)}),
    (r"(?:sales )?targets? (?:vs\.?|versus|against|and|compared (?:to|with)) actuals?(?: sales)?|actuals?(?: sales)? (?:vs\.?|versus|against|and|compared (?:to|with)) targets?|plan(?:ned)? (?:vs\.?|versus) actuals?", "ACTUAL", {}),
    (r"and|but|&|plus|alongside|next to|as well as|along with|together with|,|/", "AND", {}),
    (r"as well as|and (?:again|also|then again)(?= (?:in|during) )", "ANDALSO", {}),
    (r"or|either", "OR", {}),
    (r"how many(?: of)?(?: our| the)?(?: different| distinct| unique| individual| separate)?|(?:the )?(?:total )?(?:number|count) of(?: our| the)?(?: different| distinct| unique| individual)?|no\. of|# of|count", "COUNT", {}),
    (r"(?:(?:have|has|had) )?never (?:had|got|gotten|received|seen)(?: any| an?)?|(?:haven't|hasn't|hadn't|have not|has not|had not) (?:had|received|got|gotten|seen)(?: any| an?| a single)?|(?:haven't|hasn't|hadn't|have not|has not|had not|have never|has never) (?:sent|brought|given|placed|made|put|done)(?: us| in)? (?:any|an?|a single)|(?:did|do|does)(?: not|n't) (?:get|receive|have|see)(?: any| an?| a single)?|(?:(?:have|has|had) )?(?:never|not|n't) (?:made|placed|filed|submitted|taken|took|booked|signed|raised|opened)(?: any| an?| a single)|(?:haven't|hasn't|hadn't) (?:made|placed|filed|submitted|taken|booked|signed|raised|opened)(?: any| an?| a single)|(?:did|do|does)(?: not|n't) (?:make|place|file|submit|take|book|sign|raise|open)(?: any| an?| a single)|without (?:a single|even one)|not even one|(?:with|had|have|has) not a single", "NONE", {}),
    (r"no|without any|without|with no|zero|not a single|not any|none of|lacking|had no|has no|have no", "NONE", {}),
    (r"did not|do not|does not|didn't|don't|doesn't|not|never|nobody|no one|haven't|hasn't|have not|has not|were not|was not|weren't|wasn't|have never|has never|were never|was never", "NOT", {}),
    (r"(?:filed|held|hosted|made|placed|submitted|raised|lodged|received|got|took|ran|conducted|organi[sz]ed|opened|log(?:ged)?|booked|signed up for|took part in) (?:an?|any|some|at least one|one or more)|with(?= [a-z]+ but (?:no|without|not))|that had|that have|(?:have |has )?had (?:an?|any|some|at least one)|with any|with some|at least one", "EXISTS", {}),
    (r"net of|exclusive of|excluding|exclude|(?:(?:every|any)(?:where|thing|one|body)|all)? ?except(?: for)?|(?:every|any)(?:where|one|body) (?:but|outside(?: of)?|other than|apart from)|(?:leaving|leave|setting|set|putting|put) aside|(?:leaving|leave|setting|set|putting|put)(?= [^,?]{2,60} aside)|without|not counting|not including|other than|outside(?: of)?|leaving out|leave out|ignor(?:e|ing)|disregard|omit|(?:don't|do not) (?:count|include)|but not|apart from|aside from|besides|minus|disregarding|omitting|excl\.?|with the exception of|barring|save for|everything but|all but|not in|if (?:we|you) (?:exclude|leave out|ignore)|take out|taking out|remov(?:e|ing)|skip(?:ping)?|(?<![a-z] )(?:drop|ditch|lose|forget(?: about)?|get rid of|throw out|take away)(?= (?:the |all |any |out )?[a-z])", "EXCEPT", {}),
    (r"instead of|rather than|as opposed to|and not|not(?= (?:by |in )?[a-z]+\W*\Z)", "RATHER", {}),
    (r"aside|to one side", "ASIDE", {}),
    (r"(?:if (?:we|you|i) )?(?:leav(?:e|ing)|tak(?:e|ing)|keep(?:ing)?|cut(?:ting)?)(?= [^,?]{2,60} out(?:\W|\Z| of (?:it|this)))", "EXCEPT", {"cost": -0.4}),
    (r"out(?=\W*\Z| of (?:it|this))(?: of (?:it|this))?", "ASIDE", {}),
    (r"the rest(?: of)?|everything else|(?:all|the) others?(?! than)|the other(?= [a-z]+s(?![a-z]))|everyone else|(?:everything|everyone)(?= (?:but|other|apart|outside|besides|aside|excluding|not|minus|without|less|bar))", "REST", {}),
    (r"how many times(?: (?:larger|higher|bigger|greater|more|as (?:much|high|large|big)))?|by what factor", "TIMES", {}),
    (r"(?:the )?ratio(?: of)?", "RATIO", {}),
    (r"divided by|relative to", "DIVIDE", {}),
    (r"as an? (?:%|percentage|percent|share|proportion|fraction) of(?: the)?(?: total)?", "SHARE", {}),
    (r"(?:what |which |the )?(?:percentage|percent|share|proportion|fraction|portion|part)(?: of)?|how much of|what % of", "SHARE", {}),
    (r"in percent(?:ages?)?(?: terms| points)?|as (?:an? )?percent(?:ages?)?(?! of)|in relative terms|by what percent(?:age)?|what (?:percent(?:age)?|%)(?: of (?:it|that|this|them|which))?|in %", "PCT", {}),
    (r"by how much", "DIFF", {"cost": 0.2}),
    (r"how many (?:percentage |percent )?points(?: apart)?|how far apart|(?:by how much (?:do|did) (?:they|the two) differ)", "DIFF", {}),
    (r"how (?:big|large|wide|great|small) (?:is|was) (?:the|that|their|this) (?:gap|difference|distance)(?: between)?", "DIFF", {}),
    (r"(?:in )?(?:percentage |percent )?points", "PCT", {}),
    (r"%(?=\W*\Z)", "PCT", {}),
    (r"how many percent(?: of)?(?: our| the| all)?", "SHARE", {}),
    (r"(?:that |which )?(?:are |is |were |was )?(?:priced|cost(?:s|ing)?)(?: at)?(?= (?:more|less|over|under|above|below|at least|at most|between|up to|exactly|[\d₩]))", "PRICED", {}),
    (r"(?:that |which )?(?:came|comes?|amount(?:ed|s)?|add(?:ed|s)? up|ran|total(?:l?ed|s)?|worked out)(?: up)? (?:to|at)(?= (?:more|less|over|under|above|below|at least|at most|between|up to|exactly))|(?:were |was |are |is )?(?:worth|valued at|billed at|charged at)(?= (?:more|less|over|under|above|below|at least|at most|between|up to|exactly))", "INMONEY", {}),
    *((rf"(?:in|during|within|for) (?:any|a single|any single|one|any one|at least one|some|a given|any given) {unit}(?: of| in)?", "ANYUNIT", {"groups": (unit,)}) for unit in ("day", "week", "month", "quarter")),
    (r"(?:the )?difference(?: in| between)?|(?:the )?gap(?: in| between)?|how (?:much|many) (?:more|less|fewer)", "DIFF", {}),
    (r"vs\.?|versus|compared (?:to|with)|in comparison (?:to|with)|against|than|ahead of|behind|(?:(?<=up )|(?<=down ))on|on(?= last (?:year|month|quarter|week))|over(?= last| the previous| the prior| q[1-4]| (?:january|february|march|april|may|june|july|august|september|october|november|december)(?![a-z]))|from(?= last| the previous| the prior| january| february| march| april| may| june| july| august| september| october| november| december| q[1-4])", "VS", {}),
    (r"compare(?:s|d)? (?:with|to)|with(?= (?:the )?(?:same |last |previous |prior |january|february|march|april|may |june|july|august|september|october|november|december|q[1-4]|20\d\d))", "VS", {}),
    (r"vs?\.?|versus", "AGAINST", {}),
    (r"beat|beats|outperform(?:ed|s)?|outsold|outsell(?:s|ing)?|outdid|(?:do|does|did) better than", "BEAT", {}),
    (r"(?:better|worse|higher|lower|more|less|larger|smaller|bigger|fewer) than", "VS", {}),
    (r"go up|going up|goes up|went up|gone up|grow|grew|grown|growing|grows|increas(?:e|ed|es|ing)|gain(?:ed|s|ing)?|rose|rise|risen|rising|improv(?:e|ed|ing)|climb(?:ed|s|ing)?|surg(?:ed?|es|ing)|jump(?:ed|s|ing)?|soar(?:ed|s|ing)?|pick(?:ed|ing)? up|(?:was|were|is|are) up|up by", "GROW", {"growth": "difference"}),
    (r"go down|going down|went down|gone down|declin(?:e|ed|es|ing)|decreas(?:e|ed|es|ing)|fell|fall|fallen|falling|dropped(?! (?:out|off|by))|(?<=[a-z] )(?<!please )(?<!now )drop|drops|dropping|shrank|shrink|shrunk|(?:lost|lose|losing)(?! (?:[a-z]+ ){0,4}to (?!20|19|last|this|the)[a-z])|slip(?:ped|s|ping)?|slump(?:ed|s)?|plung(?:ed?|es)|dip(?:ped|s)?|worsen(?:ed|s)?|(?:was|were|is|are) down|down by", "GROW", {"growth": "difference", "rank": Rank(descending=False)}),
    (r"(?:go|going|went|been|is|are|was|were)? ?up or down|(?:rise|rising|rose) or (?:fall|falling|fell)|(?:increas(?:e|ing|ed)) or (?:decreas(?:e|ing|ed))|(?:grow|growing|grew) or (?:shrink|shrinking|shrank|declin(?:e|ing|ed))|better or worse", "RATE", {"growth": "difference"}),
    (r"(?:the )?(?:growth rate|rate of growth|percent(?:age)? (?:change|growth|increase)|% change|growth|change rate)(?: (?:of|in))?", "RATE", {"growth": "change"}),
    (r"(?:the )?(?:absolute (?:change|growth|increase)|change|increase|changes)(?: (?:of|in))?", "RATE", {"growth": "difference"}),
    (r"(?:the )?(?:decline|decrease|(?<=[a-z] )(?<!please )(?<!now )drop)(?: (?:of|in))?", "RATE", {"growth": "difference", "rank": Rank(descending=False)}),
    (r"(?:the )?(?:fastest|quickest|most rapidly)", "FAST", {"rank": Rank()}),
    (r"(?:the )?(?:slowest|most slowly)", "FAST", {"rank": Rank(descending=False)}),
    (r"fastest[- ]growing", "GS", {"rank": Rank(growth="change")}),
    (r"year[- ]over[- ]year|yoy|year[- ]on[- ]year", "B", {"base": "year", "flags": frozenset({"versus"})}),
    (r"a year (?:earlier|before|ago)|one year (?:earlier|before|ago)|the year before|(?:where we were )?at (?:this|the same) (?:point|time|stage) (?:of |in |)(?:last year|a year ago|the year before|the previous year)|this time last year|where we were (?:last year|a year ago)", "B", {"base": "year"}),
    *((rf"(?:in |over |for |during )?the same {unit} (?:of |in |)(?:last year|a year ago|a year earlier|one year ago|the year before|the previous year|the prior year)", "B", {"base": "year", "flags": SAME_DAYS | {f"unit:{unit}"}, "cost": -0.6}) for unit in ("week", "month", "quarter")),
    (r"(?:in |over |for |during )?the same (?:period|months|time|days|dates|point|stretch|weeks|span) (?:of |in |)(?:last year|a year ago|a year earlier|one year ago|the year before|the previous year|the prior year)", "B", {"base": "year", "flags": SAME_DAYS}),
    (r"month[- ]over[- ]month|mom|month[- ]on[- ]month", "B", {"base": "month", "flags": frozenset({"versus"})}),
    (r"a month (?:earlier|before|ago)|the month before", "B", {"base": "month"}),
    (r"(?:in |over |for |during )?the same (?:period|days|dates|point|stretch|time|span) (?:of |in |)(?:last month|a month ago|a month earlier|the month before|the previous month|the prior month)", "B", {"base": "month", "flags": SAME_DAYS}),
    (r"quarter[- ]over[- ]quarter|qoq", "B", {"base": "quarter", "flags": frozenset({"versus"})}),
    (r"the quarter before|a quarter (?:earlier|before|ago)", "B", {"base": "quarter"}),
    (r"(?:in |over |for |during )?the same (?:period|days|dates|point|stretch|time|span) (?:of |in |)(?:last quarter|the quarter before|the previous quarter|the prior quarter)", "B", {"base": "quarter", "flags": SAME_DAYS}),
    (r"week[- ]over[- ]week|wow", "B", {"base": "week", "flags": frozenset({"versus"})}),
    (r"the week before", "B", {"base": "week"}),
    (r"the day before(?: that| yesterday)?", "B", {"base": "previous"}),
    (r"(?:(?<![a-z] )|(?<=please )|(?<=now )|(?<=and )|(?<=then ))(?:drop|remove|take out|skip|omit)(?= [a-z])", "EXCEPT", {"cost": -0.6}),
    (r"the previous period|the period before|the prior period|the (?:\d{1,3} )?(?:days|weeks|months) before(?: that)?", "B", {"base": "previous"}),
    (r"each|separately|respectively|individually|(?:one|a) (?:line|row) (?:each|apiece)|one by one", "EACH", {"split": True}),
    (r"compare[ds]?|comparison(?: of| between)?", "EACH", {"split": True, "flags": frozenset({"compare"})}),
    (rf"more{_THAN_THEN}", "MOVED", {"growth": "difference"}),
    (rf"(?:fewer|less){_THAN_THEN}", "MOVED", {"growth": "difference", "rank": Rank(descending=False)}),
    (r"more|higher|larger|greater|bigger", "COMPARATIVE", {"rank": Rank(n=0)}),
    (r"fewer|less|lower|smaller", "COMPARATIVE", {"rank": Rank(descending=False, n=0)}),
    (r"(?:the )?(?:grand )?(?:totals?|combined|overall|altogether|together|in total|in all|sum of|sum)(?: amount of| of| amount)?|in aggregate|company[- ]?wide|nation[- ]?wide|country[- ]?wide|(?:(?:for|across|over) )?every(?:thing|one|body)|(?:(?:for|in|across) )?the (?:whole|entire) (?:company|business|firm|country|organi[sz]ation)|across the (?:board|company|country)|all together|add(?: (?:them|those|these|it|that|both|the two|all))*(?: up| together)|sum (?:them|those|these|it|that)(?: all)?(?: up)?|added (?:up|together)|adds? up to|add up|summed up|put together|come to in total|comes? to", "TOTAL", {"split": False}),
    (r"cumulative(?:ly)?|running total(?: of)?|year[- ]to[- ]date total", "FLAG", {"flags": frozenset({"running_total"})}),
    (r"(?:the )?trends?(?: of| in| for)?|over time|development of|time series(?: of)?", "TREND", {"flags": frozenset({"trend"})}),
    (r"(?:by )?how (?:much|far)(?: (?:did|do|does|were|are|was|is|have|has))?(?: we| they| sales)? (?:miss(?:ed)?|beat|exceed(?:ed)?|fall short of|fell short of|from|off|short of|above|below|over|under|behind|ahead of)(?: or (?:miss(?:ed)?|beat|exceed(?:ed)?|above|below|over|under))? (?:the |our |their )?(?:sales )?targets?(?: (?:were|are|was|is) we)?", "GAP", {}),
    (rf"(?:how (?:far|much)(?: (?:are|were|is|was))?(?: we)?(?: still)? (?:away from|from|off|missing (?:to|from|for)|short of)|(?:the )?distance (?:to|from)|how much(?: more)?(?: do| does| did)? we (?:still )?(?:need|lack)(?: to (?:sell|make|do))? (?:to (?:reach|hit|meet|make|get to)|for)|how much(?: (?:is|are))? (?:still )?(?:missing|lacking|left|needed)(?: (?:to(?: (?:reach|hit|meet))?|from|for|until))?){_TARGET}", "TOGO", {}),
    (r"(?:the )?(?:sales )?short[- ]?falls?(?: (?:against|versus|vs\.?|to|from|on|below) (?:the |their |its |our )?(?:sales )?(?:targets?|quotas?|goals?|plans?))?", "SHORT", {}),
    (r"by (?:the )?(?:most|(?:widest|largest|biggest|greatest) (?:margin|amount|gap))|the most(?= in (?:won|money|absolute))", "FARTHEST", {"rank": Rank()}),
    (r"by (?:the )?(?:least|(?:smallest|narrowest|slimmest) (?:margin|amount|gap))", "FARTHEST", {"rank": Rank(descending=False)}),
    (r"(?:against|versus|vs\.?|compared (?:to|with)) (?:the |our |)targets?", "FLAG", {"flags": frozenset({"target"})}),
    (rf"(?:hit|hits|met|meet|meets|reach(?:ed|es)?|beat|achiev(?:e|ed|es)|made|exceed(?:ed|s)?|attain(?:ed|s)?|above|over|on){_TARGET}", "ACHIEVED", {}),
    (rf"(?:miss(?:ed|es)?|below|under|fell short of|(?:did not|didn't|not|failed to|do not|never|without) (?:hit|meet|met|reach(?:ed)?|achieve|make|hitting|meeting|reaching)|short of|behind){_TARGET}", "MISSED", {}),
    (r"(?:on |during the |over the |at the )?(?:weekends?)(?: only)?", "DAYS", {"weekdays": (6, 7)}),
    (r"(?:on )?weekdays?(?: only)?", "DAYS", {"weekdays": (1, 2, 3, 4, 5)}),
    *((rf"(?:on )?{name}days", "DAYS", {"weekdays": (at,)}) for at, name in enumerate(_DAYS, 1)),
    *((rf"{name}day", "DAYS", {"weekdays": (at,), "cost": 0.3}) for at, name in enumerate(_DAYS, 1)),
    (r"who|whom|which person|which people", "WHO", {}),
    (r"what(?= (?:did|do|does|have|has) (?:[^?.,]{1,30} )?(?:buy|order|purchase|bought|ordered|sell|sold)(?: the)? (?:most|least)(?![a-z]))", "WHAT", {}),
    (r"what(?: exactly| all)?(?= (?:did|do|does|have|has) (?:[^?.,]{1,30} )?(?:buy|order|purchase|bought|ordered|purchased)(?![a-z])(?! (?:the )?(?:most|least))(?![^?.]* (?:in (?:won|krw|money|total|all)|altogether|overall)(?![a-z])))", "WHAT", {"split": True}),
    (r"how(?: is|'s|’s| was) (?:(?:this|the|last|our) )?(?=[a-z0-9 ]{1,20} (?:going|looking|shaping up|coming along))|(?:is |are |was |were )?(?:going|looking|shaping up|coming along)(?: so far)?(?= (?:so|in|this|versus|vs|compared|against|for)|\W*\Z)|came in(?= (?:from|through|via|last|this|during|in (?!first|second|third|last\b)[a-z0-9]))|how (?:did|do) we do|how (?:are|were) we doing|how(?: is|'s|’s) business(?: doing)?|how did business go|how are things going|perform(?:ed|ing)?|(?:do|doing|did)(?= (?:in|this|last|during|versus|vs|compared|over|so|between|\())", "DOING", {}),
    (r"nothing", "NOTHING", {}),
    (r"where (?:did|do|does|is|was|were|are)(?= .*(?:most|best|highest|least|worst|fewest|lowest))", "WHERE", {}),
    (r"did(?=\W*\Z)", "DID", {}),
    (r"how many (?:korean )?(?:won|krw|dollars|euros|yen|pounds)(?: of| in)?", "MUCH", {"unit": "money"}),
    (r"(?:in|measured in|expressed in|counted in) (?:korean )?(?:won|krw|money|cash|value|(?:monetary|money|value|won|cash) terms|terms of (?:money|value|won|amount))|(?:going |ranked |sorted |ordered |measured )?by (?:money|value|won|krw|amount)(?! of)|value[- ]wise|money[- ]wise|moneywise|(?:go |switch |turn |convert )?(?:it |that |them )?back (?:to|into) (?:korean )?(?:won|krw|money|amounts|(?:the )?(?:absolute|actual|raw|plain) (?:figures?|numbers?|amounts?|values?))", "MUCH", {"unit": "money", "flags": frozenset({"basis"})}),
    (r"anything(?: new)?|something(?: new)?", "ANY", {}),
    (r"an?(?= (?:unit|piece|box|pack|bottle)(?![a-z]))", "ONE", {}),
    (r"(?<!by )how much(?! of)", "MUCH", {}),
    (r"(?:how long|how many days)(?: on average)? (?:does|do|did|will|would) it(?: usually| typically| normally| generally| on average)? take(?: us| on average)?|how many days(?: on average)?(?: (?:does|do|did))?(?= (?:a|an|the|our|each) )|(?:the )?(?:average )?(?:number of )?(?:days|time) (?:that )?it (?:takes|took)(?: us| (?:our )?(?:clients|customers|people))?", "LONG", {"cost": -0.2}),
    (r"(?:how long|how many days)(?: on average)?(?: (?:does|do|did|is|are|was|were))?(?: (?:a|an|the|our|each|one))?(?: (?:average|typical|single))?", "LONG", {}),
    (r"takes?(?: us)?(?=\W*\Z| (?:on average|from|between|to complete)(?![a-z]))(?: to complete)?", "TAKE", {}),
    (r"amount|money|value|worth(?! (?:of|more|less|over|under|above|below|at|between|up|exactly|[\d₩$€£]))", "MUCH", {"unit": "money"}),
    (r"how often", "COUNT", {}),
    (r"how many (?:people|persons|participants)|(?:the )?number of people", "COUNT", {"unit": "명"}),
)  # fmt: skip

LIGHT = Choice(
    r"(?:in |during |for )?the week (?:of|from)(?= [a-z]+ \d{1,2}(?:st|nd|rd|th)?\s?(?:to|-|–|through|until)\s)|(?<=[a-z] )entries(?= )|(?:is|are|was|were|does|do) (?:each|every one)(?: of (?:them|those|these))? (?:on|in|at|from|assigned to|part of|working (?:for|in|at))(?=\W*\Z)|(?:put|set|place)(?: (?:it|that|this|them|those))?(?= (?:next to|beside|against|alongside|side by side|the |their |in ))|(?:next to|beside|alongside) (?:it|that|them|those|this)(?=\W*\Z)|in (?:another|a second|an extra|a separate) column|side by side(?=\W*\Z)|(?<=how many )(?:are|is|were) (?:left|there|remaining)(?=\W*\Z)|remain(?:ing)?(?=\W*\Z)|(?:morning|afternoon|evening)(?=\s*[!,.])|(?<=most )(?:often|frequently)|(?<=least )(?:often|frequently)|ready(?= (?:as|in|for)\b|\W*\Z)|(?:short|brief|quick|simple|formal|proper)(?= (?:\w+ )?(?:report|summary|document|proposal|request|notice|memo)\b)|(?:for )?the (?:full|whole|entire) year(?= \d{4})|(?:full|whole|entire) year(?= \d{4})|\(?just the (?:counts|numbers|totals)\)?|(?<=won )(?:instead of|rather than|not) (?:units|pieces|quantity)|in minutes(?=\W*\Z)|how much of (?:that|it|this)(?= (?:was|is|were|are|came|comes|went) (?:from|for|in|at|by|on|to|with|[a-z]))|by the way|another (?:question|thing)|(?:on )?an?other topic|different (?:topic|question|thing)|(?:on )?a different note|changing the subject|next(?: question)?(?=\s*[,:])|last(?=\W*\Z)|(?:split|slice|cut|group|break)(?: it| that| them| this)?(?: up| down)?(?= (?:by|into|that|out|뷁+)\b)|(?:make|makes|made|making) up|came out at|lemme|(?:is|are|was|were) (?:down|due|thanks) to|(?:reached|hit|achieved|got|did|scored|made|posted)(?= (?:at least|at most|over|more than|under|less than|above|below|\d))|pls|(?:out )?of (?:everything|all)(?: that)?(?= (?:we|they|i|the|our))|(?:the )?same (?:thing )?(?:for|but)|likewise for|by(?= (?:more|less|at least|at most|over|under|\d))|(?<!biggest )(?<!largest )(?<!highest )(?<!smallest )(?<!lowest )(?<!best )(?:single|individual)|so far|to date|as of (?:today|now)|up to now|until now|that (?:month|quarter|year|period|week|time)|at the moment|right now|on file|in place|on record|by (?=(?:our|the) company)|in terms of|what about|how about|as a|as an|as of|according to|when it comes to|with respect to|with regard to|in our|for our|at our|from our|accounted for(?: by)?|coming from|came from|come from|comes from|generated by|brought in by|made up of|attributable to|contributed by|belong(?:s|ing)? to|located in|based in|situated in"
    r"|(?:use|switch to|take)(?= [a-z0-9 ]{1,30} instead)|(?:takes?|lasts?|took|lasted|gets?|got|makes?)(?= (?:the )?(?:longest|shortest))|(?:brought|gave|given|sent|bring|give|send)(?: to)? us"
    r"|(?:the )?same (?:ranking|ranked list|list|breakdown|table|question|thing|figures?|split|view)|(?:too|as well)(?=\W*\Z)|given(?! that)|handed out|often|frequently|i mean|i meant|make (?:it|that(?! (?:month|quarter|week|year|day)))|(?:the |those )?ones(?: that| who| which)?|i(?:'d| would) like(?: to (?:know|see))?|can you|could you|would you|i want(?: to (?:know|see))?|(?:yes|yep|yeah|no|nope|nah|well|oh|ah|right|sorry|hm+)(?=\s*,)|sorry|oops|wait|hold on|hang on|my bad|scratch that|(?:over |for |in )?the same period(?=\W*$)|same period(?=\W*$)|again|once more|(?:lower|raise|reduce|drop|cut|set|change|move|bump|increase|decrease)(?: it| that| this| the (?:limit|threshold|bar|cutoff))?(?: up| down)? to(?= [\d₩$€£])|add(?: in)?(?= [a-z])(?! (?:up|them|those|these|it|that|both|together|all))|include(?= [a-z])|i need(?: to (?:know|see))?|let me (?:know|see)|do you know|please|pls|plz|thx|thanks|thank you|hi|hello|hey|kindly|quick question|um|uh|asap|very much|something|ok(?:ay)?|why|instead|make it|change it to|increase it to|extend it to|anything|at all|even once|ever|account(?:s|ed)? for|placed|(?:filed|submitted|claimed)(?= (?:no|any|zero))|among(?:st)?|running(?= ahead| behind)|finish(?:ed)?|came in|ones?|doing|i mean[t]?|i was wondering|just wondering|do we (?:have|own|run|operate|employ|cover|serve|supply|work with|deal with|look after|handle)|last(?:ed|ing)|last(?= on average| for\W)|(?:please )?(?:express|state)(?= (?:it|that|this|those|these|them|each)(?![a-z]))|(?:turn|convert)(?: it| that| those| them)? into(?= (?:a )?(?:shares?|percent))|break(?: it| that| them)?(?: down)?|down(?= by| into)|went to|went on|going to|logged|booked|posted|conducted|performed|carried out|put in|handed out|given out|turned out|side by side|at a time|in a single go|for me|i'm looking for|looking for|help me (?:understand|see)|curious(?: about)?|wonder(?:ing)?(?: about)?|need|want|know|understand"
    r"|still(?= (?:in|at|on|under|being|waiting|active|open|pending|unpaid|outstanding|running|ongoing|valid|employed|working) )"
    r"|usually|typically|normally|generally|whats|what(?:'s| is| are| was| were| did| do| does|)|which(?: of)?|whose|when(?: did| was| is)?|where(?: did| was| is)?|how(?: did| do| is| are| was| were| does| has| have)?"
    r"|(?:the )?titles?(?=\W| and| of|\Z)|(?:budgeted|amounting)(?= (?:at|to|above|over|under|below|more|less|between|up))|(?:is |are |was |were )?(?:currently )?(?:working|employed|active|operating|stationed|posted)(?= (?:in|for|at|with|on|out))|r[ua]ns? up(?= )|rack(?:s|ed)? up(?= )|show(?: me| us)?|give(?: me| us)?|tell(?: me| us)?|list(?: all| up| of)?|display|find(?: out)?|get(?: me)?|see|look up|pull(?: up)?|report|provide|return|present|name|names|identify|check|calculate|compute|determine|break down|break-?(?:down|up)(?: of)?|analy[sz]e|summari[sz]e|draw|plot|figure out"
    r"|the|a|an|of|in|on|for|at|from|with|to|is|are|was|were|be|been|being|did|do|does|done|has|have|had|having|that|which|who|it|its|their|there|this|these|those|they|them|our|ours|us|we|i|me|my|you|your|so|as|any|some|all|only|just|also|then|now|currently|so far|to date|during|within|over the|throughout|through|into|out|up|about|around|if|whether|will|would|can|could|should|like|go(?! (?:up|down)(?![a-z]))|went(?! (?:up|down)(?![a-z]))|make|makes|made|get|gets|got|came|come|comes|took|take|takes|place|happen(?:ed)?|occur(?:red)?|record(?:ed)?|register(?:ed)?|reported|see|saw|seen|amount to|amounted to|stand at|stood at"
    r"|company|firm|business|whole|entire|overall|actual(?:ly)?|figures?|numbers|values|data|results?|information|details?|worth(?= of)|(?<!how many )(?:kind|sort|type) of|(?<!in )(?:won|krw)|s|'s|’s"
    r"|[?!.…\"'“”‘’()\[\]:;]+",
    r"(?![a-z0-9])",
)  # fmt: skip
"""Says how to answer, or nothing: no figure depends on it."""
GREETING = r"hi(?: there)?|hello(?: there)?|hey(?: there)?|good (?:morning|afternoon|evening|day)|greetings|nice to meet you|how are you"
THANKS = r"th(?:an)?x|ty|tks|thanks?(?: you)?(?: (?:so|very) much| a lot)?|many thanks|much appreciated|great(?: job)?|well done|cheers|perfect|good job"
REMARK = (
    r"(?:i )?(?:got it|gotcha|see|understand|understood|get it)(?: now)?|(?:that |this |it )?makes sense|noted|fair enough|good to know|interesting|wow|hmm+|aha|not bad|impressive|whoa|oh dear|no way"
    r"|(?:that|this|it)(?:['’]?s| is| was| looks| seems| sounds) (?:(?:quite|rather|really|pretty|very|a bit|surprisingly|way|much|so|still|actually) )*"
    r"(?:(?:a )?(?:lot|little|surprise|shame|relief)|(?:lower|higher|less|more|better|worse|bigger|smaller|fewer|larger)(?: than (?:i|we)(?:['’]d| had)? (?:expected|thought|hoped|guessed|feared)| than expected)?"
    r"|good|bad|great|fine|interesting|surprising|odd|strange|impressive|disappointing|clear|okay|ok|low|high)"
    r"|(?:(?:way|much|a bit|a lot|slightly) )?(?:lower|higher|less|more|better|worse|bigger|smaller|fewer) than (?:(?:i|we)(?:['’]d| had)? (?:expected|thought|hoped|guessed|feared)|expected)"
)
"""Says what somebody thinks of a figure, or that it was heard, and asks nothing."""
_FOR_NOW = r"(?: for (?:now|today|tonight|the moment|the day|this week)| (?:now|today|here|then|already|from me|on my (?:side|end)))*"
_I_NEEDED = r"(?: (?:that )?(?:i|we) (?:really )?(?:need(?:ed)?|want(?:ed)?|was after|was looking for|were looking for|have|had|asked for)(?: to (?:know|see|ask|hear))?)?"
PARTING = (
    r"(?:good)?bye(?:[ -]bye)?|see (?:you|ya)(?: (?:later|tomorrow|soon|around|next week|on monday))?|take care|good night"
    r"|(?:talk|speak|catch)(?: to)?(?: you)? (?:later|soon|tomorrow)|until (?:tomorrow|next time)"
    r"|(?:have a|enjoy (?:your|the)) (?:(?:nice|good|great|lovely|wonderful) )?(?:rest of (?:your|the) )?(?:day|weekend|evening|night|afternoon|week|one)"
    rf"|(?:i (?:think|guess|believe) )?(?:that|this|it)(?:['’]?s| is| was|['’]?ll be| will be| should be| would be) (?:all|it|everything|enough|plenty|exactly what|just what|what){_I_NEEDED}{_FOR_NOW}"
    rf"|(?:i (?:think|guess|believe) )?(?:i['’]?m|i am|we['’]?re|we are|i['’]?ll be) (?:all )?(?:good|fine|done|set|finished|okay|sorted){_FOR_NOW}"
    rf"|nothing (?:else|more|further){_I_NEEDED}{_FOR_NOW}|(?:i have )?no (?:more|further|other) questions?{_FOR_NOW}"
    r"|(?:that|this) (?:answers|answered) (?:my|the|all my|that) questions?|(?:that|this|it) (?:helps|helped)(?: a lot| me)?|(?:that|this|it)(?:['’]?s| is| was) (?:(?:very|really|so|super|most) )?(?:helpful|useful)"
    r"|you(?:['’]ve| have)? (?:been|were) (?:(?:a |such a )?(?:great|big|huge|real) help|(?:very |so |really |most )?helpful)|no,? thanks?(?: you)?"
)
"""Ends the conversation, or says that nothing more is wanted."""
HELP = r"help(?: me)?|what can (?:you|i) (?:do|ask|help)(?: (?:me|us))?(?: with)?(?: for me| here)?|(?:who|what) are you|how can you help(?: me)?|what do you do|what are you able to do|how does this work|what questions can i ask|(?:what|which)(?: (?:kinds?|sorts?|types?) of)? (?:questions?|things?|stuff)(?: (?:can|could|should|may|do|are))? (?:you|i) (?:able to )?(?:help|answer|ask|do|handle)(?: you)?(?: (?:me|us))?(?: with)?(?: about)?|what can (?:you|i) (?:help|ask|find|get|see)(?: (?:me|us|you))?(?: (?:with|about|out))?(?: here)?|how do i (?:use|ask)(?: (?:this|you))?"
