"""Words of names in Latin letters: given names, surnames, syllables of Korean and Chinese names, and words of things."""

from __future__ import annotations

from metaagent.protection.redaction._context import words

GIVEN = frozenset(
    words(
        "Aaron Abdul Abdullah Abigail Adam Adele Adrian Adriana Agnes Ahmad Ahmed Aiden Aisha Akira Alan Albert Alberto Alejandro "
        "Alessandro Alessia Alex Alexander Alexandra Alexei Alfonso Alfred Alice Alicia Alina Alison Allison Alvaro Amanda Amelia "
        "Amina Amir Amit Amy Ana Anastasia Anders Andre Andrea Andreas Andrei Andrew Andrey Andrzej Andy Angela Anika Anil Anita "
        "Anja Anjali Ann Anna Annabelle Anne Annette Annika Anthony Antoine Anton Antonia Antonio Anya Arjun Arlene Arnold Arthur "
        "Arturo Ashley Astrid Audrey August Barbara Bastian Beatrice Beatriz Ben Benedict Benjamin Bernard Bernd Beth Bethany "
        "Bianca Bjorn Björn Bogdan Boris Brandon Brenda Brendan Brian Bridget Bruno Bryan Caitlin Camila Camille Carl Carla Carlos "
        "Carmen Carol Carolina Caroline Cassandra Catherine Cecilia Celine Charles Charlie Chiara Chloe Christian Christina "
        "Christine Christoph Christopher Claire Clara Claude Claudia Claus Colin Connor Craig Cristina Curtis Cynthia Dagmar Daisuke "
        "Damian Dan Daniel Daniela Danielle Darius Darren Dave David Deborah Deepak Denise Dennis Derek Diana Diane Diego Dieter "
        "Dimitri Dinesh Dirk Dmitri Dmitry Dominic Dominik Donald Donna Dorothy Douglas Duncan Dylan Edith Eduardo Edward Edwin "
        "Eileen Elaine Eleanor Elena Eleni Elias Elisa Elisabeth Elise Elizabeth Ella Ellen Ellie Elsa Emil Emilia Emily Emma "
        "Emmanuel Enrique Eric Erica Erik Erika Erin Ernesto Esther Ethan Eugene Eva Evan Eve Evelyn Fabian Farah Fatima Federico "
        "Felipe Felix Fernanda Fernando Filip Fiona Florian Frances Francesca Francesco Francis Francisco Franz Fred Freddie "
        "Frederick Frederik Frida Friedrich Gabriel Gabriela Gareth Gary Gemma Geoffrey George Georgia Gerald Gerard Gerhard "
        "Gianluca Gilbert Giorgio Giovanni Giulia Giuseppe Gloria Gordon Greg Gregory Greta Guillaume Gunther Gustav Hamid Hannah "
        "Hans Harold Harriet Harry Haruka Haruto Hassan Heather Hector Heidi Heinrich Helen Helena Helga Henri Henrik Henry Herbert "
        "Hideki Hiroko Hiroshi Holger Howard Hugh Hugo Hussein Ian Ibrahim Ignacio Igor Ines Ingrid Irene Irina Isaac Isabel "
        "Isabella Ivan Jack Jacob Jacqueline Jacques Jakob Jakub James Jamie Jan Jana Jane Janet Janice Jaroslav Jason Javier "
        "Jeffrey Jenna Jennifer Jenny Jens Jeremy Jerome Jessica Jesus Jill Jim Joachim Joan Joanna Joao Joe Joel Johan Johanna "
        "Johannes John Jonas Jonathan Jorge Jose Josef Joseph Josephine Josh Joshua Joyce Juan Judith Judy Julia Julian Juliana Julie "
        "Julien Juliette Jurgen Jürgen Justin Justyna Kamal Kamil Karen Karin Karina Karl Karolina Kasper Kate Katarzyna Katherine "
        "Kathleen Kathryn Katie Katrin Katrina Kazuki Keiko Keith Keisuke Kelly Ken Kenji Kenneth Kenta Kerstin Kevin Khalid Kieran "
        "Kirsten Klaus Konstantin Krishna Kristen Kristian Kristin Kristina Kumar Kurt Kyle Lakshmi Lara Larry Lars Latoya Laura "
        "Lauren Laurence Lawrence Lea Leah Leila Lena Leo Leon Leonard Leonardo Leonor Leslie Liam Lily Linda Lisa Liz Lorenzo Louis "
        "Louise Luca Lucas Lucia Lucie Lucy Luigi Luis Luisa Lukas Luke Lydia Lynn Madeleine Maggie Magnus Mahmoud Maja Makoto Malik "
        "Manfred Manuel Manuela Marc Marcel Marcela Marcin Marco Marcos Marcus Marek Margaret Margot Maria Mariam Mariana Marie "
        "Marina Mario Marion Marius Marjorie Markus Marlene Marta Martha Martin Martina Mary Mateo Mathias Mathieu Mathilde Matt "
        "Matteo Matthew Matthias Maureen Maurice Mauricio Max Maximilian Maya Megan Mehmet Mei Melanie Melissa Mercedes Mia Michael "
        "Michaela Michal Michel Michele Michelle Miguel Mika Mikael Mike Mikhail Milan Milena Miranda Miriam Monica Monika Mitsuko Mohamed "
        "Mohammad Mohammed Mohan Moritz Muhammad Mustafa Nadia Nadine Nancy Naoki Naomi Natalia Natalie Natasha Nathalie Nathan Neha "
        "Neil Nicholas Nick Nicola Nicole Nicolas Niels Nigel Nikhil Niklas Nikola Nikolai Nils Nina Noah Noel Nora Norbert Norman "
        "Odette Olaf Oleg Olga Oliver Olivia Olivier Omar Oscar Osman Otto Owen Pablo Pamela Paola Paolo Patricia Patrick Paul "
        "Paula Pauline Pavel Pedro Peggy Penelope Per Peter Petra Phil Philip Philipp Philippe Phillip Pia Pierre Piotr Pooja Prakash "
        "Pranav Priya Quentin Rachel Rafael Rahul Raj Rajesh Ralf Ralph Ramesh Ramon Raquel Raul Ravi Raymond Rebecca Reiner Renata "
        "Rene Ricardo Riccardo Richard Rita Rob Robert Roberta Roberto Rodrigo Roger Rohan Roland Rolf Roman Ronald Rosa Rosemary "
        "Roxanne Rudolf Rupert Russell Ruth Ryan Sabine Sabrina Sakura Salma Salvatore Sam Samantha Samir Samuel Sandeep Sandra "
        "Sanjay Santiago Sara Sarah Satoshi Scott Sean Sebastian Selma Sergei Sergey Sergio Shane Shannon Sharon Sheila Shirley "
        "Shreya Silvia Simon Simona Simone Sinead Sofia Sofie Sonia Sonja Sophia Sophie Soren Søren Stefan Stefanie Stefano "
        "Stella Stephan Stephanie Stephen Steve Steven Stuart Sunil Suresh Susan Susanne Suzanne Sven Svetlana Sylvia Takashi Takeshi "
        "Tamara Tanja Tanya Tara Taro Tatiana Ted Terence Teresa Terrence Theodore Theresa Thierry Thomas Thorsten Tiago Tim Timothy "
        "Tobias Todd Tom Tomas Tomasz Tony Tracy Trevor Tyler Ulf Ulrich Ulrike Ursula Uwe Valentina Valentino Valerie Vanessa Vera "
        "Veronica Victor Vijay Vikram Viktor Viktoria Vincent Vincenzo Virginie Vivek Vladimir Walter Wanda Wayne Wendy Werner "
        "Wilhelm Willem William Wolfgang Xavier Yasmin Yoko Yolanda Yosef Youssef Yuki Yuri Yusuf Yuto Yvette Yvonne Zachary Zainab "
        "Zara Zoe Zofia"
    )
)
"""Given names that are hardly ever anything else."""
MAYBE_GIVEN = frozenset(
    words(
        "Amber April Austin Autumn Bill Bob Brad Brooke Carter Chad Charlotte Chase Chelsea Chris Christian Clay Cliff Cole Crystal "
        "Dale Dallas Dean Dawn Drew Duke Earl Eden Faith Florence Ford Frank Gail Gene Glen Grace Grant Guy Harper Hazel Heath Holly "
        "Hope Hunter Iris Ivy Jade Jasmine Jay Jean Jewel Jordan Joy June Kent Kim Kit Lance Lane Lee Lincoln Logan Madison Major Mark "
        "Mason May Melody Miles Morgan Nelson Olive Paige Parker Pat Pearl Penny Pierce Ray Reed Rich Robin Rod Rose Ruby Rusty Sage "
        "Sierra Skip Sky Stan Sterling Summer Sydney Taylor Terry Victoria Violet Virginia Wade Warren Wesley Will Willow Winston"
    )
)
"""Given names that are also words, months or places: they take a surname or a context."""
SURNAMES = frozenset(
    words(
        "Adams Ali Allen Alvarez Anderson Andersson Andrews Armstrong Arnold Bailey Baker Barnes Bauer Becker Bell Bennett Berg "
        "Bernard Bianchi Black Bradley Brandt Brooks Brown Bryant Burke Burns Butler Campbell Carlson Carter Castillo Chang Chapman "
        "Chavez Chen Clark Clarke Cohen Cole Coleman Collins Cook Cooper Costa Cox Cruz Cunningham Davies Davis Diaz Dixon Dubois "
        "Duncan Dunn Edwards Elliott Ellis Eriksson Evans Ferguson Fernandez Ferrari Fischer Fisher Fitzgerald Fleming Flores Foster "
        "Fox Freeman Fuchs Gallagher Garcia Gibson Gomez Gonzalez Gordon Graham Grant Gray Green Griffin Gruber Gupta Hall Hamilton "
        "Hansen Harris Harrison Hart Harvey Hayes Henderson Hernandez Hill Hoffman Hoffmann Holmes Howard Huang Hughes Hunt Hunter "
        "Ibrahim Ito Jackson James Jenkins Jensen Johansson Johnson Johnston Jones Jordan Kaya Keller Kelly Kennedy King Klein Knight "
        "Kowalski Kumar Larsen Larsson Laurent Lawson Lewis Li Lim Lindberg Liu Long Lopez Lund Marshall Martin Martinez Mason Mehta "
        "Mendoza Meyer Miller Mitchell Moore Morales Moreau Moreno Morgan Morris Murphy Murray Myers Müller Muller Nakamura Nelson "
        "Nguyen Nielsen Nilsson Novak Ortiz Owens Palmer Parker Patel Perez Perry Peters Petersen Peterson Petrov Pham Phillips "
        "Popov Powell Price Ramirez Ramos Reed Reyes Reynolds Rice Richards Richardson Richter Rivera Roberts Robertson Robinson "
        "Rodriguez Rogers Romano Rose Ross Rossi Roux Russell Ryan Sanchez Sanders Santos Sato Schmidt Schneider Schulz Schwarz Scott "
        "Shah Sharma Shaw Silva Simmons Simpson Singh Smith Spencer Stevens Stewart Stone Sullivan Suzuki Takahashi Tan Tanaka "
        "Taylor Thomas Thompson Torres Tran Tucker Turner Walker Wallace Walsh Wang Ward Warren Watanabe Watson Weaver Webb Weber "
        "Webster Weiss Wells West White Wilkinson Williams Williamson Wilson Wolf Wong Wood Woods Wright Wu Xu Yamamoto Yang Young "
        "Zhang Zhao Zimmermann"
    )
)
KOREAN_SURNAMES = frozenset(
    words(
        "Ahn An Bae Baek Baik Bang Byun Cha Chae Chang Cheon Cho Choe Choi Chon Chung Do Eom Eun Gil Go Goo Gu Ha Hahm Ham Han Heo "
        "Hong Huh Hur Hwang Hyun Im Jang Jeon Jeong Ji Jin Jo Joo Ju Jun Jung Kang Kil Kim Ko Koo Kwak Kwon Lee Lim Ma Maeng Min Moon "
        "Mun Na Nam Namgung No Noh Oh Pak Park Pyo Rhee Rim Roh Ryoo Ryu Seo Seok Seol Seong Shim Shin Sim Sin So Sohn Son Song Suh "
        "Sun Sung Tak Uhm Um Wi Won Woo Yang Yeo Yeom Yeon Yi Yim Yoo Yoon You Yu Yun"
    )
)
KOREAN_SYLLABLES = (
    "a ae ah an bae beom bin bo bok bom bong bum byeol byeong byul byung chae chan chang cheol chul chun da dae dam dan deok do dong "
    "doo duk eon eui eul eun eung ga gab gang garam geon geun gi gil go gon goo gu gun gwan gwang gyeol gyeong gyu gyun ha hae hak "
    "han haneul hang he hee heon heung ho hong hoon hun hwa hwan hwi hye hyeok hyeon hyeong hyo hyuk hyun hyung i ik il im in ja jae "
    "je jee jeong jeon ji jin jong joo joon ju jun jung keun ki kwan kwang kwon kyeong kyoung kyu kyung lim lin mi min mo moo moon mu "
    "mun myeong myoung myung na nam nara neul no oh ok ra rae ram ran rang rene ri rim rin ro rok ryeong ryul sae saem san sang se seo "
    "seob seok seol seon seong seop seul seung shik shin si sik so sol song soo sook soon su suk sun sung tae taek u uk un ung wan "
    "whan won woo woong wook woon ye yee yeo yeol yeon yeong yi yo yong yoo yoon you young yu yul yun"
)
CHINESE_SURNAMES = frozenset(
    words(
        "Cai Cao Chen Cheng Deng Ding Dong Du Fan Fang Feng Fu Gao Gong Guo He Hu Huang Jia Jiang Kong Lai Lei Li Liang Liao Lin Liu "
        "Lu Luo Ma Meng Pan Peng Qian Qin Ren Shen Shi Song Su Sun Tan Tang Tian Wang Wei Wu Xia Xiao Xie Xu Xue Yan Yang Yao Ye Yin Yu "
        "Yuan Zeng Zhang Zhao Zheng Zhong Zhou Zhu Zou"
    )
)
PINYIN = (
    "ai an ang bai ban bao bei ben bin bing bo can chang chao chen cheng chi chong chuan chun cong cui da dan dong fan fang fei fen "
    "feng fu gang gen guang gui guo hai han hang hao he heng hong hua huan hui jia jian jiang jiao jie jin jing jun kai kang ke kun "
    "lan lei li lian liang lin ling liu long lu lun mei meng miao min ming na nan ning pei peng ping qi qian qiang qin qing qiu quan "
    "ran ren rong ru rui run sha shan shang shao sheng shi shu shuai shuang shun si song tao tian ting tong wei wen wu xi xia xian "
    "xiang xiao xin xing xiu xu xuan xue xun ya yan yang yao yi yin ying yong you yu yuan yue yun ze zhao zhe zhen zheng zhi zhong zhu "
    "zhuo zi"
)
BRANDS = frozenset(
    words(
        "Reddy Reddys Martens Pepper Oetker Jart Scholl Clean Coffee Pizza Fields Bean Who Strange Robot Potato Bronner Best"
    )
)
NOT_NAMES = frozenset(
    words(
        "Service Services Support Center Centre Care Data Safety Team Teams Group Department Division Office Unit Report Reports Review "
        "Portal Relations Relationship Satisfaction Success Experience Journey Number Name Names Code List Record Records File Files "
        "Form Forms Information Info Details Address Phone Email Mail Account Accounts Access Rights Education Engagement Outcomes "
        "Program Programme Survey Feedback Value Segment Segments Base Master Management Manager Sales Marketing Seoul Busan Korea "
        "Korean Incheon Daegu Daejeon Gwangju Ulsan Jeju Gangnam Gyeonggi Branch Region Regional New York London Paris Tokyo Berlin "
        "Boston Chicago Beijing Shanghai Singapore Hong Kong Sydney Los Angeles San Santa Diego Francisco North South East West Central "
        "Northern Southern Eastern Western America American Asia Asian Europe European Africa China Chinese Japan Japanese Germany "
        "German France French India Indian Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May "
        "June July August September October November December Q Total Revenue The This That These Those And Or But For In On At By "
        "With From To Of A An Is Are Was Were Will Would Can Could Should May Must Not No Yes Please See If When While After Before "
        "Since During Until As Also Both Each Every All Any Some Our Your Their His Her Its My Us We You They He She It I Who What Where "
        "Why How Which Here There Then Now Next Last First Second Third Health Insurance Privacy Policy Policies Notice Protection "
        "Complaint Complaints Order Orders Contract Contracts Agreement Meeting Meetings Approval Summary Status History Type Types Id "
        "ID Lifetime Acquisition Retention Churn Assistance Advocacy Monitoring Registry Bill Room Hospital Clinic Pharmacy "
        "University College School Institute Academy Bank Inc Ltd LLC Corp Company Co Pharma Pharmaceutical Pharmaceuticals Biologics "
        "Laboratories Laboratory Lab Labs Human Resources General Senior Junior Executive Vice Chief Officer Officers Operations "
        "Finance Financial Board Dashboard Index Score Scores Level Plan Plans Planning Project Projects Line Lines Matter Header "
        "Field Fields Server Servers Domain Variable Space Tag Tags Key Keys Column Table Tables Entity Class Object Assistant "
        "Associate Director Directors Trial Trials Research Development Blood Pressure Weight Body Heart Rate Quality Control "
        "Assurance Training Guide Guidelines Handbook Manual Annual Monthly Weekly Daily Quarterly Budget Budgets Request Requests "
        "Change Changes Visit Visits Site Sites Log Logs Calendar Transfer Update Updates Expense Expenses Ethics Committee Medical "
        "Affairs Supply Chain Steering Legal Help Desk Clinical Study Studies Risk Market Global Local National International "
        "Internal External Public Private Corporate Customer Customers Client Clients Patient Patients Product Products Vendor Vendors "
        "Supplier Suppliers Partner Partners Member Members User Users Employee Employees Staff Personnel Doctor Doctors Nurse Nurses "
        "Drug Drugs Device Devices Sample Samples Batch Lot Version Draft Final Interim Protocol Procedure Procedures Standard "
        "Standards Process Processing System Systems Network Platform Cloud Digital Online Web Website Page Pages Link Links App Apps "
        "Software Hardware Security Audit Audits Compliance Regulatory Authority Agency Ministry Government Federal State City County "
        "District Street Road Avenue Lane Park Square Station Airport Hotel Building Tower House Hall Floor Gate Bridge Port Island "
        "River Lake Mountain Bay Beach Valley Hills Forest Garden Gardens Green Red Blue Black White Gold Silver Cross Crescent Best "
        "Good Great Big Small Open Closed Active Inactive Pending Approved Rejected Completed Confirmed Cancelled High Low Medium "
        "Critical Major Minor Urgent Important Action Actions Item Items Agenda Minutes Note Notes Comment Comments Question "
        "Questions Answer Answers Issue Issues Task Tasks Ticket Tickets Case Cases Event Events Adverse Serious Signal Reaction "
        "Therapy Treatment Diagnosis Disease Syndrome Disorder Cancer Diabetes Vaccine Phase Arm Cohort Group Control Placebo Dose "
        "Tablet Capsule Injection Oral Daily Warehouse Logistics Distribution Shipping Delivery Shipment Purchase Purchasing "
        "Procurement Invoice Invoices Payment Payments Credit Debit Card Cards Cash Cost Costs Price Prices Tax Fee Fees Fund Funds "
        "Investment Investor Capital Equity Asset Assets Stock Shares Profit Loss Income Margin Growth Target Targets Goal Goals "
        "Forecast Performance Strategy Strategic Business Commercial Industrial Technical Technology Engineering Science Scientific "
        "Innovation Design Production Manufacturing Factory Plant Equipment Machine Maintenance Facility Facilities Environment "
        "Environmental Energy Water Power Oil Gas Food Foods Drink Beverage Restaurant Kitchen Fashion Media News Press Release "
        "Journal Magazine Book Books Article Articles Section Sections Chapter Appendix Annex Figure Exhibit Schedule Shift Shifts "
        "Leave Holiday Holidays Day Days Week Weeks Month Months Year Years Quarter Date Time Period Morning Afternoon Evening Night "
        "Conference Congress Symposium Seminar Workshop Webinar Session Sessions Call Calls Interview Interviews Presentation Speaker "
        "Speakers Attendee Attendees Agenda Award Awards Prize Society Association Foundation Federation Union Council Commission "
        "Court Law Act Code Rule Rules Regulation Regulations Article Amendment License Licence Permit Patent Trademark Brand Brands "
        "Campaign Promotion Promotions Advertising Launch Pipeline Portfolio Catalog Catalogue Inventory Stock Return Returns Refund "
        "Recall Defect Deviation Corrective Preventive Root Cause Analysis Analytics Statistics Statistical Model Models Method "
        "Methods Result Results Conclusion Background Objective Objectives Endpoint Primary Secondary Baseline Follow Up Down In Out "
        "Regards Sincerely Thanks Thank Dear Hi Hello Best Kind Warm Yours Cheers Greetings Subject Attachment Attachments Enclosure Re "
        "Fwd Cc Bcc Sent Received Reply Forward Exchange Outlook Word Excel Windows Office Google Microsoft Amazon Apple Oracle "
        "Samsung Hyundai Pfizer Novartis Roche Merck Bayer Sanofi Hanmi Celltrion Yuhan Boehringer Ingelheim Serono Healthcare "
        "Holdings Ventures Solutions Consulting Partners Limited Incorporated Enterprise Enterprises Industries Trading Motors "
        "Electronics Chemical Chemicals Materials Bio Biotech Biosciences Therapeutics Diagnostics Genomics Life Sciences Scientific "
        "Christmas Easter Thanksgiving Chuseok Lunar Eve Virus Fever Flu Covid Protocol Lead Head Chair President Principal "
        "Investigator Coordinator Supervisor Specialist Analyst Engineer Consultant Representative Administrator Secretary "
        "Accountant Pharmacist Physician Surgeon Professor Intern Trainee Contractor Freelancer Recruiter Buyer Seller Owner"
    )
)
"""Words of things, places and companies: what has one of them is no name."""
