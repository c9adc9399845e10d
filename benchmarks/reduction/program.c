/*
 * ledger: reads postings from standard input and prints a balance sheet.
 *
 * One posting per line: date, account, amount and text, separated by semicolons:
 *
 *     2024-03-01;food/bakery;-4.20;rolls
 *
 * Accounts are paths; the balance of an account is the sum of its own postings and those of everything below it.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE 512
#define MAX_NAME 48
#define BUCKETS 127
#define INDENT 2
#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define UNUSED(x) ((void)(x))

/* Amounts are kept in hundredths, so that sums stay exact. */
typedef long cents;

enum status {
    STATUS_OK,
    STATUS_EMPTY,
    STATUS_BAD_DATE,
    STATUS_BAD_AMOUNT,
    STATUS_TOO_FEW_FIELDS,
};

struct date {
    int year;
    int month;
    int day;
};

struct posting {
    struct date date;
    char account[MAX_NAME];
    cents amount;
    char *text;
    struct posting *next;
};

struct account {
    char name[MAX_NAME];
    cents balance;
    unsigned postings;
    struct account *parent;
    struct account *next_in_bucket;
};

struct ledger {
    struct account *buckets[BUCKETS];
    struct posting *first;
    struct posting *last;
    unsigned accounts;
    unsigned skipped;
};

struct options {
    int verbose;
    int by_month;
    const char *only;
};

static const char *const status_words[] = {
    [STATUS_OK] = "ok",
    [STATUS_EMPTY] = "empty line",
    [STATUS_BAD_DATE] = "no such date",
    [STATUS_BAD_AMOUNT] = "not an amount",
    [STATUS_TOO_FEW_FIELDS] = "too few fields",
};

static const int days_in_month[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static void *must_allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL) {
        fprintf(stderr, "ledger: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static char *copy_text(const char *text)
{
    size_t length = strlen(text);
    char *copy = must_allocate(length + 1);
    memcpy(copy, text, length);
    return copy;
}

static unsigned hash_name(const char *name)
{
    unsigned hash = 5381;
    while (*name != '\0') {
        hash = hash * 33 + (unsigned char)*name;
        name++;
    }
    return hash % BUCKETS;
}

static int is_leap_year(int year)
{
    if (year % 400 == 0)
        return 1;
    if (year % 100 == 0)
        return 0;
    return year % 4 == 0;
}

static int parse_date(const char *text, struct date *date)
{
    int length = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &date->year, &date->month, &date->day, &length) != 3)
        return 0;
    if (text[length] != '\0')
        return 0;
    if (date->month < 1 || date->month > (int)ARRAY_LENGTH(days_in_month))
        return 0;
    int days = days_in_month[date->month - 1];
    if (date->month == 2 && is_leap_year(date->year))
        days++;
    return date->day >= 1 && date->day <= days;
}

static int parse_amount(const char *text, cents *amount)
{
    char *end;
    errno = 0;
    long whole = strtol(text, &end, 10);
    if (errno != 0 || end == text)
        return 0;
    long fraction = 0;
    if (*end == '.') {
        if (!isdigit((unsigned char)end[1]) || !isdigit((unsigned char)end[2]))
            return 0;
        fraction = (end[1] - '0') * 10 + (end[2] - '0');
        end += 3;
    }
    if (*end != '\0')
        return 0;
    *amount = whole * 100 + (text[0] == '-' ? -fraction : fraction);
    return 1;
}

static struct account *find_account(struct ledger *ledger, const char *name)
{
    unsigned bucket = hash_name(name);
    struct account *account;
    for (account = ledger->buckets[bucket]; account != NULL; account = account->next_in_bucket) {
        if (strcmp(account->name, name) == 0)
            return account;
    }
    account = must_allocate(sizeof *account);
    strncpy(account->name, name, MAX_NAME - 1);
    account->next_in_bucket = ledger->buckets[bucket];
    ledger->buckets[bucket] = account;
    ledger->accounts++;

    const char *slash = strrchr(name, '/');
    if (slash != NULL) {
        char parent[MAX_NAME] = "";
        memcpy(parent, name, (size_t)(slash - name));
        account->parent = find_account(ledger, parent);
    }
    return account;
}

static enum status parse_posting(char *line, struct posting *posting)
{
    char *fields[4];
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#')
        return STATUS_EMPTY;
    while (count < ARRAY_LENGTH(fields)) {
        fields[count++] = line;
        char *semicolon = strchr(line, ';');
        if (semicolon == NULL)
            break;
        *semicolon = '\0';
        line = semicolon + 1;
    }
    if (count < ARRAY_LENGTH(fields))
        return STATUS_TOO_FEW_FIELDS;
    if (!parse_date(fields[0], &posting->date))
        return STATUS_BAD_DATE;
    if (!parse_amount(fields[2], &posting->amount))
        return STATUS_BAD_AMOUNT;
    strncpy(posting->account, fields[1], MAX_NAME - 1);
    posting->text = copy_text(fields[3]);
    return STATUS_OK;
}

static void add_posting(struct ledger *ledger, struct posting *posting)
{
    struct account *account = find_account(ledger, posting->account);
    account->postings++;
    while (account != NULL) {
        account->balance += posting->amount;
        account = account->parent;
    }
    if (ledger->last != NULL)
        ledger->last->next = posting;
    else
        ledger->first = posting;
    ledger->last = posting;
}

static void read_postings(struct ledger *ledger, FILE *input, const struct options *options)
{
    char line[MAX_LINE];
    unsigned number = 0;
    while (fgets(line, sizeof line, input) != NULL) {
        struct posting *posting = must_allocate(sizeof *posting);
        enum status status = parse_posting(line, posting);
        number++;
        if (status == STATUS_OK) {
            add_posting(ledger, posting);
            continue;
        }
        if (status != STATUS_EMPTY) {
            ledger->skipped++;
            if (options->verbose)
                fprintf(stderr, "line %u: %s\n", number, status_words[status]);
        }
        free(posting);
    }
}

static int compare_names(const void *left, const void *right)
{
    const struct account *const *a = left;
    const struct account *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

static unsigned depth_of(const struct account *account)
{
    unsigned depth = 0;
    for (account = account->parent; account != NULL; account = account->parent)
        depth++;
    return depth;
}

static void print_account(const struct account *account)
{
    const char *slash = strrchr(account->name, '/');
    const char *name = slash != NULL ? slash + 1 : account->name;
    int indent = (int)(depth_of(account) * INDENT);
    printf("%*s%-*s %8ld.%02ld\n", indent, "", MAX_NAME - indent, name, account->balance / 100,
           labs(account->balance % 100));
}

static void print_sheet(const struct ledger *ledger, const struct options *options)
{
    struct account **sorted = must_allocate((ledger->accounts + 1) * sizeof *sorted);
    size_t count = 0;
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        for (struct account *account = ledger->buckets[bucket]; account != NULL; account = account->next_in_bucket)
            sorted[count++] = account;
    }
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 0; i < count; i++) {
        if (options->only == NULL || strncmp(sorted[i]->name, options->only, strlen(options->only)) == 0)
            print_account(sorted[i]);
    }
    free(sorted);
}

static void print_months(const struct ledger *ledger)
{
    struct date month = {0, 0, 0};
    cents sum = 0;
    for (const struct posting *posting = ledger->first; posting != NULL; posting = posting->next) {
        if (posting->date.year != month.year || posting->date.month != month.month) {
            if (month.year != 0)
                printf("%04d-%02d %d\n", month.year, month.month, sum);
            month = posting->date;
            sum = 0;
        }
        sum += posting->amount;
    }
}

int main(int argc, char **argv)
{
    struct options options = {0, 0, NULL};
    struct ledger ledger = {{NULL}, NULL, NULL, 0, 0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0)
            options.verbose = 1;
        else if (strcmp(argv[i], "-m") == 0)
            options.by_month = 1;
        else
            options.only = argv[i];
    }
    read_postings(&ledger, stdin, &options);
    if (options.by_month)
        print_months(&ledger);
    else
        print_sheet(&ledger, &options);
    return ledger.skipped == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
