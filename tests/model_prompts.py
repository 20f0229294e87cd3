"Prompts for the embedded model, and what a writer of questions says to a prompt by rule."

import re

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


def question_on(prompt, confused):
    "A writer's question on each sentence, by rule; on every third what the confused one says."
    title, sentence = re.findall(r'Topic: (.*)\nSentence: (.*)\n', prompt)[-1]
    words = re.findall(r'\w+', sentence)
    if len(words) % 3 == 0:
        return confused(sentence)
    asks = f'What should people on {title} know about {words[0]} and {max(words[:-2], key=len)}?'
    return f'Question: {asks}\nAnswer: {" ".join(words[-2:])}'
