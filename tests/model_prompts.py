"Prompts for the embedded model."

EXAMPLES = '''Answer the question from the context, in a few words.

Context: The bakery on Mill Lane opens at six and is closed on Sundays.
Question: When is the bakery closed?
Answer: on Sundays

Context: Members of the choir meet every Thursday in the town hall.
Question: Where does the choir meet?
Answer: in the town hall

'''


def ask(question):
    return f'{EXAMPLES}Context: Tulips are planted in autumn. Slugs are kept away with crushed eggshells.\nQuestion: {question}\nAnswer:'


WHEN, SLUGS = ask('When are tulips planted?'), ask('What keeps slugs away from the tulips?')
DAYS, OFTEN = 'Monday, Tuesday,', 'The weather in the mountains is often'
